package io.orrery.traces;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files, folders and compression. */
class TraceFileTest {
  private static final String ROW =
      "{\"timestamp\": %d, \"input_length\": 1024, \"output_length\": 9, \"hash_ids\": [%d, 2]}\n";

  @TempDir Path folder;

  @Test
  void compressionIsToldByContent() throws IOException {
    String text = rows(0, 2_000);
    Files.writeString(folder.resolve("plain.zst"), text);
    Files.write(folder.resolve("zipped.jsonl"), TraceText.gzip(text));
    Files.write(folder.resolve("other.gz"), TraceText.zstd(text));
    byte[] head = TraceText.gzip(rows(0, 700));
    byte[] tail = TraceText.gzip(rows(700, 2_000));
    byte[] members = Arrays.copyOf(head, head.length + tail.length);
    System.arraycopy(tail, 0, members, head.length, tail.length);
    Files.write(folder.resolve("members.gz"), members);

    String digest = TraceReaders.read(folder.resolve("plain.zst")).digest();
    for (String name : List.of("plain.zst", "zipped.jsonl", "other.gz", "members.gz")) {
      Trace trace = TraceReaders.read(folder.resolve(name));
      assertThat(trace.digest()).as(name).isEqualTo(digest);
      assertThat(trace.requestCount()).as(name).isEqualTo(2_000);
      assertThat(trace.blockCount()).as(name).isEqualTo(4_000);
    }
  }

  @Test
  void severalFilesAreOneTrace() throws IOException {
    Files.writeString(folder.resolve("b.jsonl"), rows(0, 3));
    Files.write(folder.resolve("a.jsonl.gz"), TraceText.gzip(rows(10, 12)));
    List<Path> files = List.of(folder.resolve("b.jsonl"), folder.resolve("a.jsonl.gz"));

    Trace trace = TraceReaders.read(files, TraceOptions.defaults());

    assertThat(trace.requestCount()).isEqualTo(5);
    TraceProvenance.SourceFile first = trace.provenance().files().get(0);
    assertThat(first.name()).isEqualTo("b.jsonl");
    assertThat(first.bytes()).isEqualTo(Files.size(folder.resolve("b.jsonl")));
    assertThat(first.sha256()).matches("[0-9a-f]{64}");
    assertThat(trace.provenance().notes())
        .containsExactly(
            "2 files are read as one trace: their times are on one clock, and a hash names the same block in all of"
                + " them.");
  }

  @Test
  void aFileGivenTwiceIsAnError() throws IOException {
    Path first = folder.resolve("a.jsonl");
    Path copy = folder.resolve("b.jsonl");
    Files.writeString(first, rows(0, 3));
    Files.writeString(copy, rows(0, 3));

    for (Path second : List.of(first, folder.resolve(".").resolve("a.jsonl"), copy)) {
      assertThatThrownBy(() -> TraceReaders.read(List.of(first, second), TraceOptions.defaults()))
          .isInstanceOf(TraceException.class)
          .hasMessage(
              second
                  + ": trace files: found a copy, expected each file once; "
                  + first
                  + " has the same content");
    }
  }

  @Test
  void theDigestIsThatOfTheFileAsStored() throws IOException {
    Files.writeString(
        folder.resolve("t.jsonl"), "{\"timestamp\":0,\"input_length\":1,\"output_length\":1}\n");
    // echo '{"timestamp":0,"input_length":1,"output_length":1}' | sha256sum
    assertThat(TraceReaders.read(folder.resolve("t.jsonl")).provenance().files().get(0).sha256())
        .isEqualTo("5cc61c97c36e5d0054e649a84bb79be9774cd45987b9f88805ebc7133563a4fc");
  }

  @Test
  void aFolderStandsForItsTraceFilesByName() throws IOException {
    Files.writeString(folder.resolve("2.jsonl"), rows(0, 1));
    Files.write(folder.resolve("1.JSON.GZ"), TraceText.gzip(rows(0, 1)));
    Files.write(folder.resolve("3.ndjson.zst"), TraceText.zstd(rows(0, 1)));
    Files.writeString(folder.resolve("README.md"), "no trace");
    Files.createDirectory(folder.resolve("deeper.jsonl"));

    TraceProvenance provenance = TraceReaders.read(folder).provenance();

    assertThat(provenance.files())
        .extracting(TraceProvenance.SourceFile::name)
        .containsExactly("1.JSON.GZ", "2.jsonl", "3.ndjson.zst");
    assertThat(provenance.counters())
        .containsEntry("files of a folder left alone: no trace by their names", 1L);
  }

  @Test
  void aFolderWithoutTracesIsAnError() {
    assertThatThrownBy(() -> TraceReaders.read(folder))
        .isInstanceOf(TraceException.class)
        .hasMessage(
            folder
                + ": found a folder without trace files, expected files ending in .json, .jsonl, .ndjson, .csv or"
                + " .parquet, plain, .gz, .zst or .xz, or in .zip");
    assertThatThrownBy(() -> TraceReaders.read(List.of(), TraceOptions.defaults()))
        .hasMessage("trace files: found none, expected at least one file or folder");
  }

  @Test
  void filesOfDifferentFormatsDoNotMix() throws IOException {
    Files.writeString(folder.resolve("a.jsonl"), rows(0, 1));
    Files.writeString(
        folder.resolve("b.jsonl"),
        WekaReaderTest.session("s", WekaReaderTest.request(0, 64, "1", "\"out\":1")));

    assertThatThrownBy(() -> TraceReaders.read(folder))
        .hasMessage(
            folder.resolve("b.jsonl")
                + ": trace format: found weka, expected mooncake, the format of "
                + folder.resolve("a.jsonl"));
  }

  @Test
  void errorsInALaterFileNameThatFile() throws IOException {
    Files.writeString(
        folder.resolve("a.jsonl"),
        "{\"request_id\":\"r\",\"timestamp\":0,\"input_length\":1,\"output_length\":1}\n");
    Files.writeString(
        folder.resolve("b.jsonl"),
        "\n{\"request_id\":\"r\",\"timestamp\":0,\"input_length\":1,\"output_length\":1}\n");

    assertThatThrownBy(() -> TraceReaders.read(folder))
        .hasMessage(
            folder.resolve("b.jsonl")
                + ":2: request_id: found \"r\", expected an id that no other request has ("
                + folder.resolve("a.jsonl")
                + ":1)");
  }

  private static String rows(int from, int to) {
    StringBuilder text = new StringBuilder();
    for (int i = from; i < to; i++) {
      text.append(String.format(java.util.Locale.ROOT, ROW, i, 1_000 + i));
    }
    assertThat(text.toString().getBytes(UTF_8)).isNotEmpty();
    return text.toString();
  }

  /** Shards of one size that begin alike for more than 64 KiB are no copies. */
  @Test
  void shardsThatDifferLateAreNoCopies() throws IOException {
    String filler = "y".repeat(70_000);
    List<Path> shards = new ArrayList<>();
    for (String tail : List.of("a", "b", "c")) {
      Path shard = folder.resolve(tail + ".jsonl");
      String text = "{\"x\":\"" + filler + "\",\"request_id\":\"" + tail + "\",\"timestamp\":0";
      Files.writeString(shard, text + ",\"input_length\":1,\"output_length\":1}\n");
      shards.add(shard);
    }

    assertThat(TraceReaders.read(shards, TraceOptions.defaults()).requestCount()).isEqualTo(3);
  }
}

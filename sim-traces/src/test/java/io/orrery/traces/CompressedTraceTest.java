package io.orrery.traces;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.airlift.compress.zstd.ZstdOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZOutputStream;

/** Archives and compressed files, whole, damaged, and made to burst. */
@Timeout(120)
class CompressedTraceTest {
  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"gz", "zst", "xz", "zip"})
  void isReadWhateverItIsCalled(String codec) throws IOException {
    Path file = compressed(codec, "trace", rows(0, 500));

    Trace trace = TraceReaders.read(file);

    assertThat(trace.requestCount()).isEqualTo(500);
    assertThat(trace.digest()).isEqualTo(TraceText.read(rows(0, 500).split("\n", -1)).digest());
  }

  @ParameterizedTest
  @ValueSource(strings = {"gz", "zst", "xz", "zip"})
  void aDamagedOneIsAnError(String codec) throws IOException {
    Path file = compressed(codec, "trace", rows(0, 5_000));
    byte[] whole = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(whole, whole.length / 2));

    assertThatThrownBy(() -> TraceReaders.read(file))
        .isInstanceOf(TraceException.class)
        .hasMessageContaining("found damaged or truncated ")
        .hasMessageContaining("expected a complete file");
    byte[] flipped = whole.clone();
    flipped[whole.length / 2] ^= 0x55;
    Files.write(file, flipped);
    assertThatThrownBy(() -> TraceReaders.read(file)).isInstanceOf(TraceException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"gz", "zst", "xz", "zip"})
  void oneMadeToBurstIsRefused(String codec) throws IOException {
    Path file = folder.resolve("bomb");
    byte[] blank = " ".repeat(1 << 20).getBytes(UTF_8);
    try (OutputStream out = stream(codec, file)) {
      out.write(rows(0, 1).getBytes(UTF_8));
      for (int mebibytes = 0; mebibytes < 80; mebibytes++) {
        out.write(blank);
      }
    }

    assertThatThrownBy(() -> TraceReaders.read(file))
        .isInstanceOf(TraceException.class)
        .hasMessageContaining("data that grow more than 1000-fold, expected data that grow at most")
        .hasMessageContaining("1000-fold, or to at most 64 MiB");
  }

  @Test
  void shardsDecodedAtOnceGiveWhatOneFileGives() throws IOException {
    StringBuilder all = new StringBuilder();
    List<Path> shards = new ArrayList<>();
    String[] codecs = {"gz", "zst", "xz", "zip", "gz", "xz", "zst"};
    for (int i = 0; i < codecs.length; i++) {
      String part = rows(3_000 * i, 3_000 * (i + 1));
      all.append(part);
      shards.add(compressed(codecs[i], "shard-" + i, part));
    }
    Path one = folder.resolve("one.jsonl");
    Files.writeString(one, all);

    Trace whole = TraceReaders.read(one);
    Trace trace = TraceReaders.read(shards, TraceOptions.defaults());

    assertThat(trace.digest()).isEqualTo(whole.digest());
    assertThat(trace.requestCount()).isEqualTo(21_000);
    assertThat(trace.provenance().files()).hasSize(7);
    for (int i = 0; i < codecs.length; i++) {
      Trace alone = TraceReaders.read(shards.get(i));
      assertThat(trace.provenance().files().get(i)).isEqualTo(alone.provenance().files().get(0));
    }
  }

  /** The third is short and bad from its first row on, the second only at its end. */
  @Test
  void theFirstErrorInTheOrderOfTheShardsIsTheOneThatIsSaid() throws IOException {
    Path first = compressed("xz", "first", rows(0, 20_000));
    Path second = compressed("gz", "second", rows(20_000, 20_100) + "{}\n");
    Path third = compressed("zst", "third", "{}\n");

    assertThatThrownBy(() -> TraceReaders.read(List.of(first, second, third), mooncake()))
        .isInstanceOf(TraceException.class)
        .hasMessageContaining("second:101: ");
    assertThatThrownBy(() -> TraceReaders.read(List.of(first, third, second), mooncake()))
        .isInstanceOf(TraceException.class)
        .hasMessageContaining("third:1: ");
  }

  private static TraceOptions mooncake() {
    return TraceOptions.defaults().withFormat(TraceFormat.MOONCAKE);
  }

  @Test
  void anArchiveOfShardsIsOneTrace() throws IOException {
    Path file = folder.resolve("shards.zip");
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
      entry(zip, "b/part-2.jsonl", rows(10, 13).getBytes(UTF_8));
      entry(zip, "b/part-1.jsonl.gz", TraceText.gzip(rows(0, 10)));
      entry(zip, "README.md", "about".getBytes(UTF_8));
    }

    Trace trace = TraceReaders.read(file);

    assertThat(trace.requestCount()).isEqualTo(13);
    assertThat(trace.provenance().files())
        .extracting(TraceProvenance.SourceFile::name)
        .containsExactly("shards.zip!b/part-1.jsonl.gz", "shards.zip!b/part-2.jsonl");
    assertThat(trace.provenance().counters())
        .containsEntry("files of a folder left alone: no trace by their names", 1L);
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
      entry(zip, "README.md", "about".getBytes(UTF_8));
    }
    assertThatThrownBy(() -> TraceReaders.read(file))
        .hasMessage(
            file
                + ": found an archive without trace files, expected files ending in .json, .jsonl,"
                + " .ndjson, .csv or .parquet, plain, .gz, .zst or .xz");
  }

  /** Java's own writer refuses to make one, so the name is changed afterwards. */
  @Test
  void twoEntriesOfOneNameAreAnError() throws IOException {
    Path file = folder.resolve("twice.zip");
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
      entry(zip, "a.jsonl", rows(0, 3).getBytes(UTF_8));
      entry(zip, "b.jsonl", rows(3, 5).getBytes(UTF_8));
    }
    String bytes = Files.readString(file, ISO_8859_1);
    Files.writeString(file, bytes.replace("b.jsonl", "a.jsonl"), ISO_8859_1);

    assertThatThrownBy(() -> TraceReaders.read(file))
        .isInstanceOf(TraceException.class)
        .hasMessage(
            file + "!a.jsonl: archive: found two entries of this name, expected each name once");
  }

  /** As the Finder of macOS packs them: beside each file another, which is none of the trace. */
  @Test
  void hiddenFilesArePassedOver() throws IOException {
    byte[] appleDouble = {0, 5, 0x16, 7, 0, 2, 0, 0};
    Path file = folder.resolve("finder.zip");
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
      entry(zip, "a.jsonl", rows(0, 3).getBytes(UTF_8));
      entry(zip, "__MACOSX/._a.jsonl", appleDouble);
      entry(zip, ".DS_Store", appleDouble);
    }
    assertThat(TraceReaders.read(file).requestCount()).isEqualTo(3);

    Path unpacked = Files.createDirectory(folder.resolve("unpacked"));
    Files.writeString(unpacked.resolve("a.jsonl"), rows(0, 3));
    Files.write(unpacked.resolve("._a.jsonl"), appleDouble);
    Files.write(unpacked.resolve("._b.zip"), appleDouble);
    Files.write(unpacked.resolve(".c.csv.gz"), appleDouble);
    assertThat(TraceReaders.read(unpacked).requestCount()).isEqualTo(3);
  }

  /** Shards whose rows interleave are sorted, rows of one instant as the files come. */
  @Test
  void shardsAreSortedByTime() throws IOException {
    Files.writeString(folder.resolve("1.jsonl"), row(5, 1) + row(9, 3));
    Files.writeString(folder.resolve("2.jsonl"), row(2, 5) + row(5, 7));

    Trace trace = TraceReaders.read(folder);

    assertThat(
            List.of(
                trace.arrivalNanos(0),
                trace.arrivalNanos(1),
                trace.arrivalNanos(2),
                trace.arrivalNanos(3)))
        .containsExactly(0L, 3_000_000L, 3_000_000L, 7_000_000L);
    // ids by first appearance in the files: the row of file 1 stands first
    assertThat(trace.runFirst(trace.runStart(1))).isZero();
    assertThat(trace.provenance().counters()).containsEntry("rows out of time order, sorted", 2L);
  }

  @Test
  void anXzDictionaryThatTakesTooMuchMemory() throws IOException {
    Path file = folder.resolve("big.xz");
    // the dictionary's size stands in the header; no data are needed
    byte[] header;
    try (var bytes = new ByteArrayOutputStream()) {
      try (XZOutputStream out = new XZOutputStream(bytes, new LZMA2Options(0))) {
        out.write(rows(0, 3).getBytes(UTF_8));
      }
      header = bytes.toByteArray();
    }
    // block header: size, flags, filter id 0x21, size of properties 1, dictionary code
    assertThat(header[14]).isEqualTo((byte) 0x21);
    header[16] = 40;
    Files.write(file, header);

    assertThatThrownBy(() -> TraceReaders.read(file)).isInstanceOf(TraceException.class);
  }

  private Path compressed(String codec, String name, String text) throws IOException {
    Path file = folder.resolve(name);
    try (OutputStream out = stream(codec, file)) {
      out.write(text.getBytes(UTF_8));
    }
    return file;
  }

  private static OutputStream stream(String codec, Path file) throws IOException {
    OutputStream out = Files.newOutputStream(file);
    return switch (codec) {
      case "gz" -> new GZIPOutputStream(out);
      case "zst" -> new ZstdOutputStream(out);
      case "xz" -> new XZOutputStream(out, new LZMA2Options(1));
      default -> {
        ZipOutputStream zip = new ZipOutputStream(out);
        zip.putNextEntry(new ZipEntry("trace.jsonl"));
        yield zip;
      }
    };
  }

  private static void entry(ZipOutputStream zip, String name, byte[] content) throws IOException {
    zip.putNextEntry(new ZipEntry(name));
    zip.write(content);
    zip.closeEntry();
  }

  private static String row(int timestamp, long hash) {
    return "{\"timestamp\": "
        + timestamp
        + ", \"input_length\": 1024, \"output_length\": 9, \"hash_ids\": ["
        + hash
        + ", 2]}\n";
  }

  private static String rows(int from, int to) {
    StringBuilder text = new StringBuilder();
    for (int i = from; i < to; i++) {
      text.append(row(i, i * 7919L % 104729 + 3));
    }
    return text.toString();
  }
}

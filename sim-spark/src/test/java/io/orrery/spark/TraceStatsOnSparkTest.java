package io.orrery.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TraceStatsOnSparkTest {
  @TempDir Path folder;

  private String converted(String from, String name, int blockSize) {
    String to = folder.resolve(name + ".parquet").toString();
    Orrery.run("trace", "convert", from, "-o", to, "--block-size", "" + blockSize).succeeded();
    return to;
  }

  private static void assertSame(String... trace) {
    List<String> stats = new ArrayList<>(List.of("trace", "stats"));
    stats.addAll(List.of(trace));
    assertSame(stats);
    stats.add("--json");
    assertSame(stats);
  }

  private static void assertSame(List<String> command) {
    String[] words = command.toArray(String[]::new);
    assertThat(Orrery.onSpark(words).succeeded().out())
        .isEqualTo(withoutContentDigest(Orrery.run(words).succeeded().out()));
  }

  @Test
  void sessionsWithClocksOfTheirOwnAndSubAgents() {
    assertSame(converted("traces/quickstart.jsonl.gz", "quickstart", 128));
  }

  @Test
  void sessionsOnOneClock() throws IOException {
    Path small = Samples.trace(folder.resolve("small.jsonl"));
    assertSame(converted(small.toString(), "small", 64));
    assertSameElsewhere(folder.resolve("small.parquet"));
  }

  /** The folder's own time stays as it is when one of its files is written anew. */
  @Test
  void aFileThatChangesInAFolderIsReadAgain() throws IOException {
    Path days = Files.createDirectory(folder.resolve("days"));
    Path day = Samples.trace(days.resolve("day.jsonl"));
    assertSameElsewhere(days);
    FileTime before = Files.getLastModifiedTime(days);
    Files.writeString(
        day, Files.readString(day).replace("\"output_length\": 20", "\"output_length\": 3000"));
    Files.setLastModifiedTime(days, before);
    assertSameElsewhere(days);
  }

  private static void assertSameElsewhere(Path trace) {
    assertThat(stats(Orrery::onSpark, "elsewhere:" + trace))
        .isEqualTo(withoutContentDigest(stats(Orrery::run, trace.toString())));
  }

  /** It is made of a trace that is in one process as a whole. */
  private static String withoutContentDigest(String json) {
    return json.replaceFirst(" *\"content_digest\": \"[0-9a-f]{64}\",\n", "");
  }

  private static String stats(Function<String[], Orrery.Outcome> command, String trace) {
    String[] words = {"trace", "stats", trace, "--json", "--block-size", "64"};
    return command.apply(words).succeeded().out();
  }

  /**
   * Requests that come back to shared prefixes, at random times, with blocks that are not full;
   * some prompts are known in part, and some not at all.
   */
  @Test
  void randomRequests() throws IOException {
    Random random = new Random(3);
    StringBuilder text = new StringBuilder();
    long time = 0;
    for (int r = 0; r < 600; r++) {
      time += random.nextInt(40_000);
      int tree = random.nextInt(12);
      int blocks = 1 + random.nextInt(30);
      text.append("{\"timestamp\": ").append(time);
      text.append(", \"input_length\": ").append(512 * blocks - random.nextInt(512));
      text.append(", \"output_length\": ").append(1 + random.nextInt(300));
      text.append(", \"hash_ids\": [");
      int known = r % 7 == 3 ? 0 : r % 11 == 5 ? blocks / 2 : blocks;
      for (int block = 0; block < known; block++) {
        int own = block < 10 ? tree : 100 * tree + random.nextInt(3);
        text.append(block == 0 ? "" : ", ").append(1000 * block + own);
      }
      text.append("]}\n");
    }
    Path file = Files.writeString(folder.resolve("random.jsonl"), text);
    assertSame(converted(file.toString(), "random", 512));
  }

  @Test
  void otherFormatsAreReadInOneProcess() throws IOException {
    assertSame(Samples.trace(folder.resolve("small.jsonl")).toString(), "--block-size", "64");
    assertThat(Orrery.onSpark("trace", "stats", folder.resolve("none").toString()))
        .isEqualTo(Orrery.run("trace", "stats", folder.resolve("none").toString()))
        .extracting(Orrery.Outcome::status)
        .isEqualTo(3);
    assertThat(Orrery.onSpark("trace", "stats", "x", "--html", "y.html").err())
        .contains("--html: found it with --engine spark");
  }
}

package io.orrery.reports.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.reports.summary.Summary;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SweepJournalTest {
  @TempDir Path folder;

  private Path file() {
    return folder.resolve("points.jsonl");
  }

  private static PointResult point(String key, double number) {
    return new PointResult(
        key,
        "d",
        "t",
        2,
        2000,
        50,
        List.of("assumed: \"ü\""),
        Summary.of(Map.of("ttft_ms.p95", new BigDecimal(number + 0.5), "requests.completed", 7L)));
  }

  @Test
  void aResultIsReadAsItWasWritten() {
    PointResult point = point("a", 12.25);
    assertThat(PointResult.read(point.toJson())).isEqualTo(point);
    assertThat(point.toJson()).doesNotContain("\n");
  }

  @Test
  void whatWasKeptIsThereWhenItIsOpenedAgain() throws IOException {
    try (SweepJournal journal = SweepJournal.open(file())) {
      journal.add(point("a", 1));
      journal.add(point("b", 2));
    }
    try (SweepJournal journal = SweepJournal.open(file())) {
      assertThat(journal.keys()).containsExactly("a", "b");
      assertThat(journal.get("b")).isEqualTo(point("b", 2));
      assertThat(journal.has("c")).isFalse();
    }
  }

  @Test
  void cutAnywhereItKeepsAllWholeLines() throws IOException {
    try (SweepJournal journal = SweepJournal.open(file())) {
      journal.add(point("a", 1));
      journal.add(point("b", 2));
      journal.add(point("c", 3));
    }
    byte[] whole = Files.readAllBytes(file());
    for (int cut = 0; cut <= whole.length; cut++) {
      byte[] left = Arrays.copyOf(whole, cut);
      Files.write(file(), left);
      long lines =
          new String(left, StandardCharsets.ISO_8859_1).chars().filter(c -> c == '\n').count();
      try (SweepJournal journal = SweepJournal.open(file())) {
        assertThat(journal.keys()).hasSize((int) lines);
        assertThat(journal.damaged()).isZero();
        for (String key : List.of("a", "b", "c")) {
          if (!journal.has(key)) {
            journal.add(point(key, key.charAt(0) - 'a' + 1));
          }
        }
      }
      assertThat(Files.readAllBytes(file())).isEqualTo(whole);
    }
  }

  @Test
  void linesThatMakeNoSenseAreCountedAndGo() throws IOException {
    Files.writeString(file(), "{\"key\": 1}\nnonsense\n" + point("a", 1).toJson() + "\n");
    try (SweepJournal journal = SweepJournal.open(file())) {
      assertThat(journal.damaged()).isEqualTo(2);
      assertThat(journal.keys()).containsExactly("a");
      journal.order(List.of("a"));
    }
    assertThat(Files.readString(file())).isEqualTo(point("a", 1).toJson() + "\n");
  }

  @Test
  void inOrderThePointsStandFirstAndWhatElseThereIsStays() throws IOException {
    try (SweepJournal journal = SweepJournal.open(file())) {
      for (String key : List.of("z", "b", "y", "a")) {
        journal.add(point(key, 1));
      }
      journal.order(List.of("a", "b"));
      assertThat(journal.get("y")).isEqualTo(point("y", 1));
      journal.add(point("later", 1));
      assertThat(journal.get("later")).isEqualTo(point("later", 1));
    }
    assertThat(Files.readAllLines(file()))
        .extracting(line -> PointResult.read(line).key())
        .containsExactly("a", "b", "y", "z", "later");
  }

  @Test
  void aFullDiskTakesNothingAway() throws IOException {
    boolean[] full = {false};
    SweepJournal.Appender disk =
        (channel, bytes) -> {
          if (full[0]) {
            channel.write(ByteBuffer.wrap(bytes.array(), 0, 10));
            throw new IOException("No space left on device");
          }
          channel.write(bytes);
        };
    try (SweepJournal journal = SweepJournal.open(file(), disk)) {
      journal.add(point("a", 1));
      full[0] = true;
      assertThatThrownBy(() -> journal.add(point("b", 2))).hasMessageContaining("No space left");
      assertThat(journal.has("b")).isFalse();
      full[0] = false;
      journal.add(point("c", 3));
    }
    try (SweepJournal journal = SweepJournal.open(file())) {
      assertThat(journal.keys()).containsExactly("a", "c");
      assertThat(journal.damaged()).isZero();
    }
  }
}

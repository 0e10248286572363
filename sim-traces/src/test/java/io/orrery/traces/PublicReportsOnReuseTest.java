package io.orrery.traces;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What other tools were reported to make of hashes, waits, and parts of a trace. */
class PublicReportsOnReuseTest {
  /** kvcache-ai/Mooncake#1266: hashes say what is shared, whatever the text was. */
  @Test
  @Tag("report-18")
  void hashesAreUsedWithoutText() {
    Trace trace =
        TraceText.read(
            row(0, 1500, "[7, 8, 9]"), row(1, 1100, "[7, 8, 10]"), row(2, 600, "[11, 12]"));

    TraceStatistics statistics = TraceStatistics.of(trace);
    assertThat(statistics.reusedTokens()).isEqualTo(2 * 512);
    assertThat(statistics.inputTokens()).isEqualTo(1500 + 1100 + 600);
  }

  /**
   * sgl-project/sglang#12603 and #20461: rows need no prompt, blocks are as long as the trace says,
   * and the rounds of a session add up to their recorded inputs.
   */
  @ParameterizedTest
  @ValueSource(ints = {16, 64, 512})
  @Tag("report-19")
  void roundsAddUpInBlocksOfAnySize(int blockSize) {
    List<String> rows = new ArrayList<>();
    long sum = 0;
    for (int round = 0; round < 5; round++) {
      int input = blockSize * (3 + 2 * round) - 1;
      sum += input;
      StringBuilder hashes = new StringBuilder();
      for (int block = 0; block < 3 + 2 * round; block++) {
        hashes.append(block == 0 ? "" : ", ").append(1000 + block);
      }
      rows.add(row(round, input, "[" + hashes + "]").replace("{", "{\"session_id\": \"s\", "));
    }
    Trace trace =
        TraceText.read(
            TraceOptions.defaults().withBlockSize(blockSize), rows.toArray(new String[0]));

    assertThat(TraceStatistics.of(trace).inputTokens()).isEqualTo(sum);
    // Every full block of the round before, and no filler.
    assertThat(TraceStatistics.of(trace).sessionReusedTokens())
        .isEqualTo((long) blockSize * (2 + 4 + 6 + 8));
  }

  /** ai-dynamo/aiperf#1201: a long wait was capped, which changes what a cache still holds. */
  @Test
  @Tag("report-21")
  void longWaitsAreKept() {
    Trace delay =
        TraceText.read(
            row(0, 600, "[1, 2]").replace("{", "{\"session_id\": \"s\", "),
            "{\"session_id\": \"s\", \"delay\": 28800000, \"input_length\": 700, \"output_length\": 1, \"hash_ids\": [1, 3]}");
    Trace think =
        TraceText.read(
            WekaReaderTest.session(
                "s",
                WekaReaderTest.request(0, 64, "1", "\"out\":1,\"api_time\":10"),
                WekaReaderTest.request(28_810, 128, "1,2", "\"out\":1,\"think_time\":28800")));

    assertThat(delay.edgeDelayNanos(delay.edgeStart(1))).isEqualTo(28_800_000_000_000L);
    assertThat(think.edgeDelayNanos(think.edgeStart(1))).isEqualTo(28_800_000_000_000L);
  }

  /** HPMLL/BurstGPT#11: a part from the file's head is its ramp-up, and no sample of it. */
  @Test
  @Tag("report-15")
  void aSampleIsNotTheHeadOfAFile() {
    List<String> rows = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      rows.add(row(i < 200 ? 100_000 * i : 20_000_000 + i, 10, "[]"));
    }
    Trace trace = TraceText.read(rows.toArray(new String[0]));

    Trace sample = TraceSelection.sample(trace, 100, 1);

    int ofTheRamp = 0;
    for (int r = 0; r < sample.requestCount(); r++) {
      ofTheRamp += sample.arrivalNanos(r) < 19_000_000_000_000L ? 1 : 0;
    }
    assertThat(sample.requestCount()).isEqualTo(100);
    assertThat(ofTheRamp).isBetween(30, 70);
  }

  /** A third of the rows of one benchmark's sessions stood out of order, in µs. */
  @Test
  @Tag("report-out-of-order")
  void turnsOutOfOrderInTheFileAreSortedByTime() {
    List<String> rows = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      rows.add(i * 1_000_003L + "," + (100 + i) + ",1,s");
    }
    Collections.swap(rows, 2, 9);
    Collections.swap(rows, 4, 5);
    rows.add(0, "at,in,out,run");
    Trace trace =
        TraceText.read(
            TraceOptions.defaults()
                .withColumns(
                    ColumnMapping.parse("timestamp=at:us,input=in,output=out,session=run")),
            rows.toArray(new String[0]));

    assertThat(trace.sessionCount()).isEqualTo(1);
    for (int r = 0; r < 12; r++) {
      assertThat(trace.inputTokens(r)).isEqualTo(100 + r);
      assertThat(trace.arrivalNanos(r)).isEqualTo(r * 1_000_003_000L);
    }
    assertThat(trace.provenance().counters().toString()).contains("out of time order");
  }

  private static String row(long timestamp, int input, String hashes) {
    return "{\"timestamp\": "
        + timestamp
        + ", \"input_length\": "
        + input
        + ", \"output_length\": 1, \"hash_ids\": "
        + hashes
        + "}";
  }
}

package io.orrery.traces;

import static io.orrery.traces.ReportRows.arrivalSeconds;
import static io.orrery.traces.ReportRows.arrivals;
import static io.orrery.traces.ReportRows.assertFails;
import static io.orrery.traces.ReportRows.chat;
import static io.orrery.traces.ReportRows.inputs;
import static io.orrery.traces.ReportRows.mooncake;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Small inputs that other tools were reported to read wrong, about stamps: none, fractions, equal
 * ones, dates, 0. Each names the report.
 */
class PublicReportsOnTimesTest {
  private static final String AZURE = "TIMESTAMP,ContextTokens,GeneratedTokens";

  /**
   * ai-dynamo/aisimulate#183: requests without a usable arrival stalled the replay of those before.
   */
  @Tag("report-5")
  @ParameterizedTest
  @ValueSource(strings = {"null", "NaN", "Infinity", "-1", "\"x\""})
  void anArrivalThatIsNone(String stamp) {
    assertFails(
        stamp,
        "trace.jsonl:2: timestamp: found ",
        mooncake(0, 10, 1),
        mooncake(0, 10, 1).replace("\"timestamp\": 0", "\"timestamp\": " + stamp));
  }

  /** kubernetes-sigs/inference-perf#782: a fraction cut to two digits moved arrivals. */
  @Tag("report-11")
  @Test
  void fractionsAreExact() {
    Trace seconds =
        TraceText.read(
            chat(1, -1, "0.001", 9),
            chat(2, -1, "0.002", 9),
            chat(3, -1, "0.009", 9),
            chat(4, -1, "0.011", 9));
    Trace dates =
        TraceText.read(
            AZURE,
            "2026-01-01 00:00:00.001,9,4",
            "2026-01-01 00:00:00.002,9,4",
            "2026-01-01 00:00:00.0090000,9,4",
            "2026-01-01 00:00:00.011,9,4");

    long[] expected = {0, 1_000_000, 8_000_000, 10_000_000};
    assertThat(arrivals(seconds)).containsExactly(expected);
    assertThat(arrivals(dates)).containsExactly(expected);
  }

  /** HPMLL/BurstGPT#2 and #11: equal stamps keep file order; rows of failed requests are named. */
  @Tag("report-14")
  @Tag("report-15")
  @Test
  void equalStampsAndEmptyRows() {
    Trace trace =
        TraceText.read(
            "Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type",
            "5,ChatGPT,472,18,490,Conversation log",
            "5,ChatGPT,1087,0,1087,Conversation log",
            "5,ChatGPT,0,0,0,Conversation log",
            "5,GPT-4,417,276,693,API log");

    assertThat(inputs(trace)).containsExactly(472, 1087, 417);
    assertThat(trace.provenance().counters())
        .containsEntry("requests without output, replayed as one token", 1L)
        .containsEntry("rows without prompt tokens (failed requests), left out", 1L);
  }

  /** ai-dynamo/aiperf#273: every row is replayed, at its time. */
  @Tag("report-20")
  @Test
  void allRowsAtTheirTimes() {
    String[] rows =
        IntStream.range(0, 50)
            .mapToObj(i -> mooncake(1000 + 40 * i, 10 + i, 1))
            .toArray(String[]::new);
    Trace trace = TraceText.read(rows);

    assertThat(arrivals(trace))
        .containsExactly(IntStream.range(0, 50).mapToLong(i -> i * 40_000_000L).toArray());
    assertThat(inputs(trace)).containsExactly(IntStream.range(10, 60).toArray());
  }

  /** ai-dynamo/aiperf#1199: a malformed time is a complaint with a place. */
  @Tag("report-33")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "2023-11-16",
        "2023-13-16 18:17:03",
        "2023-11-16 25:17:03",
        "yesterday",
        "2023-11-16 18:17:03 CET",
        "1969-12-31 23:59:59",
        "9999-01-01 00:00:00"
      })
  void aMalformedDate(String date) {
    assertFails(
        date,
        "trace.jsonl:3: TIMESTAMP: found the string \"" + date + "\", expected a date and time as",
        AZURE,
        "2023-11-16 18:17:03.9799600,4808,10",
        date + ",1,1");
  }

  /** vllm-project/guidellm#620: absolute stamps and those from 0 are one trace. */
  @Tag("report-40")
  @Test
  void absoluteAndRelativeStamps() {
    assertThat(
            TraceText.read(mooncake(1_777_312_800_000L, 9, 1), mooncake(1_777_312_800_500L, 9, 1))
                .digest())
        .isEqualTo(TraceText.read(mooncake(0, 9, 1), mooncake(500, 9, 1)).digest());
  }

  /**
   * PrimeIntellect-ai/prime-rl#3456 and vllm-project/aibrix#2505: 0 is a time, and outputs count.
   */
  @Tag("report-41")
  @Tag("report-42")
  @Tag("report-44")
  @Test
  void zeroIsATimeAndOutputsCount() {
    Trace trace = TraceText.read(mooncake(0, 9, 77), mooncake(0, 9, 0));

    assertThat(arrivals(trace)).containsExactly(0, 0);
    assertThat(trace.outputTokens(0)).isEqualTo(77);
    // triton-inference-server/tensorrtllm_backend#619: no division by zero tokens
    assertThat(trace.outputTokens(1)).isEqualTo(1);
  }

  /** RAGPulse: texts of seconds that begin anew after a week. */
  @Tag("report-week")
  @Test
  void aWeekThatBeginsAnew() {
    String row =
        "{\"timestamp\": \"%s\", \"input_length\": 9, \"output_length\": 1, \"hash_ids\": {}, \"session_id\": \"%s\"}";
    Trace trace =
        TraceText.read(
            row.formatted("604000", "a"),
            row.formatted("604453", "b"),
            row.formatted("0", "a"),
            row.formatted("20", "c"),
            "");

    assertThat(arrivalSeconds(trace)).containsExactly(0L, 453L, 800L, 820L);
    assertThat(trace.provenance().counters())
        .containsEntry("times that begin anew, moved on by a week", 1L);
  }
}

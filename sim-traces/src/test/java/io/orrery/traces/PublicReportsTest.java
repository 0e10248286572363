package io.orrery.traces;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Small inputs of the kind that other tools were reported to read wrong, and what is right. Each
 * names the report.
 */
class PublicReportsTest {
  private static final String AZURE = "TIMESTAMP,ContextTokens,GeneratedTokens";
  private static final String BLIS =
      "request_id,session_id,round_index,input_tokens,output_tokens,arrival_time_us,send_time_us,first_chunk_time_us,last_chunk_time_us,status";

  @TempDir Path folder;

  /** ai-dynamo/aiperf#1392: cumulative rows were accumulated again. */
  @Tag("report-1")
  @Tag("report-1")
  @Test
  void cumulativeRowsAreNotSummedUp() {
    Trace trace = TraceText.read(chat(1, -1, "0", 100), chat(2, 1, "5", 210), chat(3, 2, "9", 330));

    assertThat(inputs(trace)).containsExactly(100, 210, 330);
    assertThat(trace.sessionCount()).isEqualTo(1);
  }

  /** ai-dynamo/aiperf#723: a cycle of parents hung the loader. */
  @Tag("report-2")
  @Tag("report-2")
  @Test
  void aCycleOfParents() {
    assertFails(
        "the cycle",
        "parent_chat_id: found 100, which 101 comes before, expected parents without a cycle",
        chat(100, 101, "0", 9),
        chat(101, 100, "1", 9));
    assertFails(
        "its own parent",
        "parent_chat_id: found 5, which 5 comes before, expected parents without a cycle",
        chat(5, 5, "0", 9));
    Trace orphan = TraceText.read(chat(9, 8, "61.2", 16));
    assertThat(orphan.provenance().counters())
        .containsEntry("rows whose parent is not in the trace, taken as a chat's beginning", 1L);
  }

  /** A parent that stands behind its child, since files need not be sorted. */
  @Test
  void aParentBehindItsChild() {
    Trace trace = TraceText.read(chat(2, 1, "5", 20), chat(1, -1, "0", 10));

    assertThat(trace.sessionCount()).isEqualTo(1);
    assertThat(trace.requestId(0)).isEqualTo("1");
    assertThat(EdgeText.of(trace, "2")).isEqualTo("DISPATCH 1 +5000 ms, COMPLETION 1 +0 ms");
  }

  /**
   * ai-dynamo/aiperf#1396 and ai-dynamo/dynamo#14355: the basis of sub-agent times, marker by
   * marker.
   */
  @Tag("report-3")
  @Tag("report-4")
  @Tag("report-null-duration")
  @Tag("report-3")
  @Tag("report-4")
  @Tag("report-null-duration")
  @Test
  void subAgentTimesOfBothKindsInOneFolder() throws IOException {
    String absolute =
        WekaReaderTest.session(
            "absolute",
            WekaReaderTest.request(0, 64, "1", "\"out\":1,\"api_time\":10"),
            WekaReaderTest.agent(
                20, "a", "\"duration_ms\":null", WekaReaderTest.request(25, 64, "9", "\"out\":1")));
    String relative =
        WekaReaderTest.session(
            "relative",
            WekaReaderTest.request(0, 64, "1", "\"out\":1,\"api_time\":10"),
            WekaReaderTest.agent(
                20, "a", "\"duration_ms\":null", WekaReaderTest.request(5, 64, "9", "\"out\":1")));
    Files.writeString(folder.resolve("1.json"), absolute);
    Files.writeString(folder.resolve("2.json"), relative);

    Trace trace = TraceReaders.read(folder);

    assertThat(arrivalSeconds(trace)).containsExactly(0L, 25L, 0L, 25L);
    assertThat(trace.provenance().counters())
        .containsEntry("sub-agents with times on their parent's clock", 1L)
        .containsEntry("sub-agents with times relative to their own start", 1L);
    Files.writeString(
        folder.resolve("3.json"),
        relative.replace("\"t\":5", "\"t\":NaN").replace("relative", "c"));
    assertThatThrownBy(() -> TraceReaders.read(folder))
        .hasMessageStartingWith(folder.resolve("3.json") + ":1: t: found NaN");
  }

  /**
   * ai-dynamo/aisimulate#183: requests without a usable arrival stalled the replay of those before.
   */
  @Tag("report-5")
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

  /** ai-dynamo/aisimulate#115: absent, null and zero api_time are three things. */
  @Tag("report-6")
  @Tag("report-6")
  @Test
  void aRecordedDurationOfZeroIsNotAMissingOne() {
    Trace trace =
        TraceText.read(
            WekaReaderTest.session(
                "zero",
                WekaReaderTest.request(0, 64, "1", "\"out\":1,\"api_time\":0"),
                WekaReaderTest.request(7, 64, "1", "\"out\":1")),
            WekaReaderTest.session(
                "null",
                WekaReaderTest.request(0, 64, "1", "\"out\":1,\"api_time\":null"),
                WekaReaderTest.request(7, 64, "1", "\"out\":1")));

    assertThat(trace.recordedTotalNanos(0)).isZero();
    assertThat(trace.recordedTotalNanos(2)).isEqualTo(Trace.NO_TIME);
    assertThat(EdgeText.of(trace, "zero#1")).isEqualTo("COMPLETION zero#0 +7000 ms");
    assertThat(EdgeText.of(trace, "null#1"))
        .isEqualTo("DISPATCH null#0 +7000 ms, COMPLETION null#0 +0 ms");
  }

  /** ai-dynamo/aisimulate#234: a fork that waits for what waits for it. */
  @Tag("report-7")
  @Tag("report-7")
  @Test
  void aDependencyCycle() {
    assertFails(
        "a cycle",
        "waits for: found itself through other requests, expected waiting without a cycle",
        "{\"request_id\": \"a\", \"input_length\": 5, \"output_length\": 1, \"wait_for\": [\"b\"], \"hash_ids\": []}",
        "{\"request_id\": \"b\", \"input_length\": 5, \"output_length\": 1, \"wait_for\": [\"a\"], \"hash_ids\": []}");
    assertFails(
        "a missing request",
        "waits for: found \"z\", expected a request of this trace",
        "{\"request_id\": \"a\", \"input_length\": 5, \"output_length\": 1, \"wait_for\": [\"z\"], \"hash_ids\": []}");
  }

  /** ai-dynamo/aiperf#1209: 33 tokens in blocks of 16 have three hashes, the last one partial. */
  @Tag("report-8")
  @Tag("report-floor-and-ceil")
  @Tag("report-8")
  @Tag("report-floor-and-ceil")
  @Test
  void aPartialBlockKeepsItsName() {
    Trace trace =
        TraceText.read(
            TraceOptions.defaults().withBlockSize(16),
            "{\"timestamp\": 0, \"input_length\": 33, \"output_length\": 1, \"hash_ids\": [1, 2, 3]}");

    assertThat(trace.identifiedBlocks(0)).isEqualTo(2);
    assertThat(trace.partialBlock(0)).isEqualTo(2);
  }

  /** vllm-project/guidellm#948: more ids than tokens. */
  @Tag("report-9")
  @Tag("report-9")
  @Test
  void moreBlocksThanTokens() {
    assertFails(
        "two blocks of 512 for 20 tokens",
        "hash_ids: found 2 hashes, expected at most 1 for 20 input tokens in blocks of 512",
        "{\"timestamp\": 0, \"input_length\": 20, \"output_length\": 1, \"hash_ids\": [1, 2]}");
  }

  /** kubernetes-sigs/inference-perf#782: a fraction cut to two digits moved arrivals. */
  @Tag("report-11")
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

  /** kubernetes-sigs/inference-perf#617: what is too long for a model is the engine's business. */
  @Tag("report-12")
  @Tag("report-long-context")
  @Tag("report-12")
  @Tag("report-long-context")
  @Test
  void longRequestsAreKept() {
    Trace trace = TraceText.read(mooncake(0, 32_758, 400), mooncake(1, 894_371, 18_195));

    assertThat(inputs(trace)).containsExactly(32_758, 894_371);
    assertThat(trace.outputTokens(0)).isEqualTo(400);
  }

  /** HPMLL/BurstGPT#2 and #11: equal stamps keep file order; rows of failed requests are named. */
  @Tag("report-14")
  @Tag("report-15")
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

  /** Azure/AzurePublicDataset#53: nothing is known about prefixes, which is not a hit rate of 0. */
  @Tag("report-16")
  @Tag("report-16")
  @Test
  void unknownPrefixesAreUnknown() {
    assertThat(TraceText.read(AZURE, "2023-11-16 18:17:03.9799600,4808,10").blocksKnown())
        .isFalse();
    assertThat(TraceText.read(mooncake(0, 10, 1)).blocksKnown()).isFalse();
    assertThat(TraceText.read(mooncake(0, 10, 1).replace("}", ", \"hash_ids\": []}")).blocksKnown())
        .isTrue();
  }

  /** alibaba-edu/qwen-bailian-usagetraces-anon#1 and kvcache-ai/Mooncake#1266: sizes of blocks. */
  @Tag("report-17")
  @Tag("report-17")
  @Test
  void theBlockSizeCanBeGiven() {
    String row = chat(1, -1, "0", 33).replace("[]", "[1, 2, 3]");

    assertThat(TraceText.read(row).identifiedBlocks(0)).isEqualTo(2);
    assertThatThrownBy(
            () -> TraceText.read(row.replace("[1, 2, 3]", "[1, 2, 3, 4, 5, 6, 7, 8, 9]")))
        .hasMessageContaining(
            "found 9 hashes, expected at most 3 for 33 input tokens in blocks of 16");
    assertThat(
            TraceText.read(
                    TraceOptions.defaults().withBlockSize(4),
                    row.replace("[1, 2, 3]", "[1, 2, 3, 4, 5, 6, 7, 8, 9]"))
                .identifiedBlocks(0))
        .isEqualTo(8);
  }

  /** ai-dynamo/aiperf#273: every row is replayed, at its time. */
  @Tag("report-20")
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

  /** ai-dynamo/aiperf#1231: the residual wait between a child's end and its parent's next call. */
  @Tag("report-22")
  @Tag("report-22")
  @Test
  void theWaitAfterAChildIsKept() {
    Trace trace =
        TraceText.read(
            record("p1", "p", null, 0, 1000),
            record("c1", "c", "p", 1500, 3000),
            record("p2", "p", null, 184_430, 185_000));

    assertThat(EdgeText.of(trace, "p2"))
        .isEqualTo("COMPLETION p1 +181430 ms, COMPLETION c1 +181430 ms");
  }

  /** inference-sim#1478: a start-to-start gap is no think time. */
  @Tag("report-23")
  @Tag("report-23")
  @Test
  void aGapBetweenStartsIsNoWait() {
    Trace trace =
        TraceText.read(
            "{\"session_id\": \"s\", \"timestamp\": 0, \"input_length\": 9, \"output_length\": 1}",
            "{\"session_id\": \"s\", \"timestamp\": 700, \"input_length\": 19, \"output_length\": 1}");

    assertThat(EdgeText.of(trace, "s#1")).isEqualTo("DISPATCH s#0 +700 ms, COMPLETION s#0 +0 ms");
  }

  /**
   * inference-sim#1605 and #1615: rounds that shrink are totals; all of an exported run is
   * replayed.
   */
  @Tag("report-24")
  @Tag("report-24")
  @Test
  void roundsThatShrink() {
    Trace trace =
        TraceText.read(
            BLIS,
            "0,s,0,500,9,0,0,0,2000000,ok",
            "1,s,1,900,9,3000000,3000000,0,4000000,ok",
            "2,s,2,300,9,5000000,5000000,0,6000000,timeout");

    assertThat(inputs(trace)).containsExactly(500, 900, 300);
    assertThat(EdgeText.of(trace, "1")).isEqualTo("COMPLETION 0 +1000 ms");
    assertThat(trace.provenance().counters())
        .containsEntry("requests that failed when they were recorded, replayed", 1L);
  }

  /** The same rows where the header says that they are increments. */
  @Test
  void roundsThatAreIncrements() throws IOException {
    Path header = folder.resolve("trace_header.yaml");
    Path table = folder.resolve("trace_data.csv");
    Files.writeString(
        header, "trace_version: 3\ntime_unit: microseconds\nsession_context_growth: accumulate\n");
    Files.writeString(
        table,
        BLIS
            + "\n0,s,0,100,50,0,0,0,0,ok\n2,s,2,25,20,2000000,2000000,0,0,ok\n1,s,1,30,40,1000000,1000000,0,0,ok\n");

    Trace trace = TraceReaders.read(List.of(header, table), TraceOptions.defaults());

    assertThat(inputs(trace)).containsExactly(100, 180, 245);
    assertThat(trace.blocksKnown()).isTrue();
    assertThat(trace.namedBlocks(0)).isEqualTo((100 + 50 - 1 + 15) / 16);
    assertThat(TraceReaders.read(folder).digest()).isEqualTo(trace.digest());
    Files.writeString(header, "trace_version: 3\ntime_unit: seconds\n");
    assertThatThrownBy(() -> TraceReaders.read(List.of(header, table), TraceOptions.defaults()))
        .hasMessage(header + ":2: time_unit: found seconds, expected microseconds");
  }

  /** ai-dynamo/dynamo#13897: requests that overlapped keep their recorded starts. */
  @Tag("report-28")
  @Tag("report-28")
  @Test
  void overlappingRequestsOfOneSession() {
    Trace trace =
        TraceText.read(record("a", "s", null, 0, 5000), record("b", "s", null, 2000, 3000));

    assertThat(arrivals(trace)).containsExactly(0, 2_000_000_000L);
    assertThat(trace.provenance().counters())
        .containsEntry(
            "requests received before the turn before them had ended; they wait for it", 1L);
  }

  /**
   * ai-dynamo/dynamo#14799 and #10944: a request without an end record; rows with and without
   * context.
   */
  @Tag("report-29")
  @Tag("report-30")
  @Tag("report-29")
  @Tag("report-30")
  @Test
  void eventsOfRequestsThatNeverEnded() {
    Trace trace =
        TraceText.read(
            record("a", "s", null, 0, 100),
            "{\"event_type\":\"tool_end\",\"agent_context\":{\"session_id\":\"gone\"},\"tool\":{\"tool_class\":\"x\",\"started_at_unix_ms\":5}}",
            record("b", null, null, 50, 100));

    assertThat(trace.sessionCount()).isEqualTo(2);
    assertThat(trace.provenance().counters())
        .containsEntry("tools that no request of the trace called", 1L);
  }

  /** ai-dynamo/dynamo#2557: one second is one second in every unit. */
  @Tag("report-31")
  @Tag("report-31")
  @Test
  void unitsAreProvedBySpans() {
    List<Trace> traces =
        List.of(
            TraceText.read(mooncake(0, 10, 1), mooncake(90_000, 10, 1)),
            TraceText.read(chat(1, -1, "0", 10), chat(2, -1, "90", 10)),
            TraceText.read(BLIS, "0,,0,10,1,0,0,0,0,ok", "1,,0,10,1,90000000,90000000,0,0,ok"),
            TraceText.read(AZURE, "2026-01-01 00:00:00,10,1", "2026-01-01 00:01:30,10,1"),
            TraceText.read(
                "arrived_at,num_prefill_tokens,num_decode_tokens", "1.5,10,1", "91.5,10,1"),
            TraceText.read(
                "request_id,request_type,application_id,arrival_timestamp,batch_size,prompt_size,token_size",
                "0,2,0,0.0,1,10,1",
                "1,2,0,90,1,10,1"),
            TraceText.read(
                record("a", null, null, 1_777_312_800_000L, 1_777_312_800_001L),
                record("b", null, null, 1_777_312_890_000L, 1_777_312_890_001L)),
            TraceText.read(
                TraceOptions.defaults()
                    .withColumns(ColumnMapping.parse("timestamp=at:us,input=i,output=o")),
                "at,i,o",
                "5,10,1",
                "90000005,10,1"));

    assertThat(traces)
        .allSatisfy(trace -> assertThat(arrivals(trace)).containsExactly(0, 90_000_000_000L));
  }

  /**
   * perf_analyzer#301: a session that mixes delays and stamps; a row with neither is no silent
   * skip.
   */
  @Tag("report-32")
  @Tag("report-32")
  @Test
  void delaysAndStampsInOneSession() {
    String turn = "{\"session_id\": \"s\", %s\"input_length\": 9, \"output_length\": 1}";
    Trace trace =
        TraceText.read(
            turn.formatted("\"timestamp\": 0, "),
            turn.formatted("\"delay\": 250, "),
            turn.formatted("\"timestamp\": 900, "),
            turn.formatted("\"timestamp\": 990, \"delay\": 5, "));

    assertThat(EdgeText.of(trace, "s#1")).isEqualTo("COMPLETION s#0 +250 ms");
    assertThat(EdgeText.of(trace, "s#2")).isEqualTo("DISPATCH s#0 +900 ms, COMPLETION s#1 +0 ms");
    assertThat(EdgeText.of(trace, "s#3")).isEqualTo("COMPLETION s#2 +5 ms");
    assertFails(
        "neither",
        "timestamp: found nothing, expected a time in ms, or a delay",
        turn.formatted("\"timestamp\": 0, "),
        turn.formatted(""));
  }

  /** ai-dynamo/aiperf#1199: a malformed time is a complaint with a place. */
  @Tag("report-33")
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

  /** max-sixty/tend#1180: the last line is cut off. */
  @Tag("report-37")
  @Tag("report-37")
  @Test
  void theLastLineIsCutOff() {
    assertFails(
        "cut",
        "found text that is not JSON (Unexpected end-of-input within/between Object entries)",
        mooncake(0, 9, 1),
        mooncake(5, 9, 1).substring(0, 16));
  }

  /** vllm-project/guidellm#620: absolute stamps and those from 0 are one trace. */
  @Tag("report-40")
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

  /** ai-dynamo/dynamo#10095: a block size of 0; a prompt shorter than a block. */
  @Tag("report-43")
  @Tag("report-43")
  @Test
  void blockSizesAndShortPrompts() {
    assertFails(
        "0",
        "trace_block_size: found 0, expected a whole number from 1",
        record("a", null, null, 0, 1).replace("\"trace_block_size\":4", "\"trace_block_size\":0"));
    Trace trace = TraceText.read(mooncake(0, 100, 1).replace("}", ", \"hash_ids\": [7]}"));
    assertThat(trace.identifiedBlocks(0)).isZero();
    assertThat(trace.partialBlock(0)).isZero();
  }

  /** RAGPulse: texts of seconds that begin anew after a week. */
  @Tag("report-week")
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

  /** Local ids that come again in another session are other blocks. */
  @Tag("report-local-ids")
  @Tag("report-local-ids")
  @Test
  void idsOfOneSessionSayNothingAboutAnother() {
    String session =
        WekaReaderTest.session("a", WekaReaderTest.request(0, 128, "1,2", "\"out\":1"));
    Trace trace =
        TraceText.read(
            TraceOptions.defaults().withSharedSystemPrefix(false),
            session,
            session.replace("\"a\"", "\"b\""));

    assertThat(trace.blockCount()).isEqualTo(4);
  }

  /** A sum of increments is the sum of its totals. */
  @Tag("report-same-keys")
  @Tag("report-same-keys")
  @Test
  void incrementsAreSummedUp() {
    Trace trace = FormatSamples.read(TraceFormat.MOONCAKE_DELTA, folder);

    assertThat(inputs(trace)).containsExactly(1024, 1024 + 100 + 499, 1024 + 100 + 499 + 583 + 700);
    assertThat(TraceStatistics.of(trace).sessionReusedTokens()).isPositive();
    assertThat(trace.provenance().notes()).anyMatch(note -> note.contains("mooncake-delta"));
  }

  private static void assertFails(String what, String message, String... lines) {
    assertThatThrownBy(() -> TraceText.read(lines))
        .as(what)
        .isInstanceOf(TraceException.class)
        .hasMessageContaining(message);
  }

  private static String mooncake(long timestamp, int input, int output) {
    return "{\"timestamp\": "
        + timestamp
        + ", \"input_length\": "
        + input
        + ", \"output_length\": "
        + output
        + "}";
  }

  private static String record(String id, String session, String parent, long received, long end) {
    String context =
        session == null
            ? ""
            : "\"agent_context\":{\"session_id\":\""
                + session
                + "\""
                + (parent == null ? "" : ",\"parent_session_id\":\"" + parent + "\"")
                + "},";
    return "{\"event_type\":\"request_end\",\"event_time_unix_ms\":"
        + end
        + ","
        + context
        + "\"request\":{\"request_id\":\""
        + id
        + "\",\"request_received_ms\":"
        + received
        + ",\"output_tokens\":1,\"replay\":{\"trace_block_size\":4,\"input_length\":10,\"input_sequence_hashes\":[]}}}";
  }

  private static String chat(int id, int parent, String timestamp, int input) {
    return "{\"chat_id\": "
        + id
        + ", \"parent_chat_id\": "
        + parent
        + ", \"timestamp\": "
        + timestamp
        + ", \"input_length\": "
        + input
        + ", \"output_length\": 4, \"hash_ids\": []}";
  }

  private static int[] inputs(Trace trace) {
    return IntStream.range(0, trace.requestCount()).map(trace::inputTokens).toArray();
  }

  private static long[] arrivals(Trace trace) {
    return IntStream.range(0, trace.requestCount()).mapToLong(trace::arrivalNanos).toArray();
  }

  private static List<Long> arrivalSeconds(Trace trace) {
    List<Long> seconds = new ArrayList<>();
    Arrays.stream(arrivals(trace)).forEach(nanos -> seconds.add(nanos / 1_000_000_000L));
    return seconds;
  }
}

package io.orrery.traces;

import static io.orrery.traces.ReportRows.assertFails;
import static io.orrery.traces.ReportRows.chat;
import static io.orrery.traces.ReportRows.inputs;
import static io.orrery.traces.ReportRows.mooncake;
import static io.orrery.traces.ReportRows.record;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Small inputs that other tools were reported to read wrong, about lengths and blocks: sums,
 * increments, partial blocks, block sizes. Each names the report.
 */
class PublicReportsOnPromptsTest {
  private static final String AZURE = "TIMESTAMP,ContextTokens,GeneratedTokens";
  private static final String BLIS =
      "request_id,session_id,round_index,input_tokens,output_tokens,arrival_time_us,send_time_us,first_chunk_time_us,last_chunk_time_us,status";

  @TempDir Path folder;

  /** ai-dynamo/aiperf#1392: cumulative rows were accumulated again. */
  @Tag("report-1")
  @Test
  void cumulativeRowsAreNotSummedUp() {
    Trace trace = TraceText.read(chat(1, -1, "0", 100), chat(2, 1, "5", 210), chat(3, 2, "9", 330));

    assertThat(inputs(trace)).containsExactly(100, 210, 330);
    assertThat(trace.sessionCount()).isEqualTo(1);
  }

  /** A sum of increments is the sum of its totals. */
  @Tag("report-same-keys")
  @Test
  void incrementsAreSummedUp() {
    Trace trace = FormatSamples.read(TraceFormat.MOONCAKE_DELTA, folder);

    assertThat(inputs(trace)).containsExactly(1024, 1024 + 100 + 499, 1024 + 100 + 499 + 583 + 700);
    assertThat(TraceStatistics.of(trace).sessionReusedTokens()).isPositive();
    assertThat(trace.provenance().notes()).anyMatch(note -> note.contains("mooncake-delta"));
  }

  /**
   * inference-sim#1605 and #1615: rounds that shrink are totals; all of an exported run is
   * replayed.
   */
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

  /** ai-dynamo/aiperf#1209: 33 tokens in blocks of 16 have three hashes, the last one partial. */
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
  @Test
  void moreBlocksThanTokens() {
    assertFails(
        "two blocks of 512 for 20 tokens",
        "hash_ids: found 2 hashes, expected at most 1 for 20 input tokens in blocks of 512",
        "{\"timestamp\": 0, \"input_length\": 20, \"output_length\": 1, \"hash_ids\": [1, 2]}");
  }

  /** ai-dynamo/dynamo#10095: a block size of 0; a prompt shorter than a block. */
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

  /** alibaba-edu/qwen-bailian-usagetraces-anon#1 and kvcache-ai/Mooncake#1266: sizes of blocks. */
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

  /** Local ids that come again in another session are other blocks. */
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

  /** Azure/AzurePublicDataset#53: nothing is known about prefixes, which is not a hit rate of 0. */
  @Tag("report-16")
  @Test
  void unknownPrefixesAreUnknown() {
    assertThat(TraceText.read(AZURE, "2023-11-16 18:17:03.9799600,4808,10").blocksKnown())
        .isFalse();
    assertThat(TraceText.read(mooncake(0, 10, 1)).blocksKnown()).isFalse();
    assertThat(TraceText.read(mooncake(0, 10, 1).replace("}", ", \"hash_ids\": []}")).blocksKnown())
        .isTrue();
  }

  /** kubernetes-sigs/inference-perf#617: what is too long for a model is the engine's business. */
  @Tag("report-12")
  @Tag("report-long-context")
  @Test
  void longRequestsAreKept() {
    Trace trace = TraceText.read(mooncake(0, 32_758, 400), mooncake(1, 894_371, 18_195));

    assertThat(inputs(trace)).containsExactly(32_758, 894_371);
    assertThat(trace.outputTokens(0)).isEqualTo(400);
  }

  /** max-sixty/tend#1180: the last line is cut off. */
  @Tag("report-37")
  @Test
  void theLastLineIsCutOff() {
    assertFails(
        "cut",
        "found text that is not JSON (Unexpected end-of-input within/between Object entries)",
        mooncake(0, 9, 1),
        mooncake(5, 9, 1).substring(0, 16));
  }
}

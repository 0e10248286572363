package io.orrery.traces;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Prompts that are summed up from what rounds add, and prompts whose beginnings are known by their
 * lengths: all tokens are those that the file says, and what contradicts itself is counted.
 */
class SummedPromptsTest {
  private static final String BLIS =
      "request_id,session_id,round_index,prefix_group,prefix_length,input_tokens,output_tokens,"
          + "arrival_time_us,send_time_us,first_chunk_time_us,last_chunk_time_us,status,adapter\n";

  @TempDir Path folder;

  /** 100; 100 + 50 + 30; then nothing is added to 180 + 40; an output of no tokens adds none. */
  @Test
  void blisRoundsAddUpAndMayAddNothing() throws IOException {
    Trace trace =
        blis(
            "accumulate",
            "0,s,0,,0,100,50,1000000,0,0,0,ok,",
            "1,s,1,,0,30,40,2000000,0,0,0,ok,",
            "2,s,2,,0,0,0,3000000,0,0,0,ok,tuned",
            "3,s,3,,0,5,1,4000000,0,0,0,ok,");

    assertThat(inputs(trace)).containsExactly(100, 180, 220, 225);
    assertThat(trace.adapter(2)).isEqualTo("tuned");
    assertThat(trace.provenance().notes()).anyMatch(note -> note.contains("warm_up_requests: 2"));
    assertThatThrownBy(() -> blis("accumulate", "0,s,0,,0,0,50,1000000,0,0,0,ok,"))
        .hasMessageContaining("input_tokens: found 0 tokens with prefix_length, expected 1 to");
    assertThatThrownBy(() -> blis("", "0,s,1,,0,0,50,1000000,0,0,0,ok,"))
        .hasMessageContaining("input_tokens: found 0 tokens with prefix_length, expected 1 to");
    // the first round that is there, though not the first of its session
    assertThatThrownBy(() -> blis("accumulate", "0,s,1,,0,0,50,1000000,0,0,0,ok,"))
        .hasMessageContaining(":2: input_tokens: found 0 tokens with all rounds before it");
  }

  @Test
  void blisRoundsThatContradictTheirIndexAreCounted() throws IOException {
    Trace trace = blis("", "0,s,1,,0,100,50,1000000,0,0,0,ok,", "1,s,0,,0,30,40,2000000,0,0,0,ok,");

    assertThat(inputs(trace)).containsExactly(100, 30);
    assertThat(trace.provenance().counters())
        .containsEntry(
            "rounds that started before one with a lower round_index; by their starts", 1L);
  }

  /** 10; 10 + 0 + 20: what is replayed as one token was none in the prompt that followed. */
  @Test
  void anOutputOfNoTokensAddsNoneToTheNextPrompt() {
    String row =
        "{\"session_id\": \"s\", %s, \"input_length\": %d, \"output_length\": %d, \"hash_ids\": [%d]}";
    Trace trace =
        TraceText.read(
            TraceOptions.defaults().withFormat(TraceFormat.MOONCAKE_DELTA),
            row.formatted("\"timestamp\": 0", 10, 0, 1),
            row.formatted("\"delay\": 5", 20, 7, 2),
            row.formatted("\"delay\": 5", 30, 1, 3));

    assertThat(inputs(trace)).containsExactly(10, 30, 67);
  }

  @Test
  void sumsThatDoNotAddUpAreCounted() {
    Trace burst =
        TraceText.read(
            "Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type",
            "5,ChatGPT,472,18,490,API log",
            "6,ChatGPT,472,18,500,API log");
    String round =
        "{\"provider\": \"claude\", \"session_id\": \"s\", \"round_index\": 0, \"input_tokens_total\": %d, \"prefix_tokens\": %d,"
            + " \"newly_append_tokens\": %d, \"output_tokens\": 4, \"timing_events\": [{\"event_type\": \"user_message\","
            + " \"timestamp\": \"2026-08-25T00:00:0%dZ\"}]}";
    Trace lab =
        TraceText.read(
            round.formatted(64, 0, 64, 0),
            round.formatted(128, 68, 64, 1),
            round.formatted(100, 168, 4, 2));

    assertThat(burst.provenance().counters())
        .containsEntry("rows whose total tokens are not their request's and response's", 1L);
    // 68 + 64 are not 128, 168 + 4 not 100; and of 100 tokens no 168 came from a cache
    assertThat(lab.provenance().counters())
        .containsEntry("rounds whose total tokens are not their prefix and what they append", 2L)
        .containsEntry("recorded cached tokens beyond the prompt's, left out", 1L)
        .containsEntry("prefixes longer than the prompt and output before them", 1L);
    assertThat(lab.recordedCachedTokens(1)).isEqualTo(68);
    assertThat(lab.recordedCachedTokens(2)).isEqualTo(-1);
  }

  private Trace blis(String growth, String... rows) throws IOException {
    Path header =
        Files.writeString(
            folder.resolve("header.yaml"),
            "trace_version: 3\ntime_unit: microseconds\nwarm_up_requests: 2\nserver:\n  model: m\nsession_context_growth: "
                + growth
                + "\n");
    Path table =
        Files.writeString(folder.resolve("table.csv"), BLIS + String.join("\n", rows) + "\n");
    return TraceReaders.read(List.of(header, table), TraceOptions.defaults());
  }

  private static int[] inputs(Trace trace) {
    return IntStream.range(0, trace.requestCount()).map(trace::inputTokens).toArray();
  }
}

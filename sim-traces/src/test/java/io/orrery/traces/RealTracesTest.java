package io.orrery.traces;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.orrery.traces.analysis.Marginals;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Public traces, with figures that others found in them. Skipped where -Dorrery.data is absent. */
class RealTracesTest {
  /**
   * A third party counted 182,790 unique blocks and 37.38 % of tokens in the conversation trace.
   */
  @Test
  void mooncakeConversation() {
    Trace trace = TraceReaders.read(TraceText.real("mooncake/conversation_trace.jsonl"));
    TraceStatistics statistics = TraceStatistics.of(trace);

    assertThat(statistics.requests()).isEqualTo(12_031);
    assertThat(statistics.uniqueBlocks()).isEqualTo(182_790);
    assertThat(statistics.promptBlocks()).isEqualTo(288_500);
    assertThat(100 * statistics.reusedBlockShare()).isCloseTo(36.64, within(0.005));
    assertThat(100 * statistics.reusedTokenShare()).isCloseTo(37.36, within(0.005));
    assertThat(statistics.inputTokens()).isEqualTo(144_793_823);
    assertThat(partialRepeats(trace)).isEqualTo(118);
    assertThat(trace.provenance().counters()).isEmpty();
    assertThat(distinctArrivals(trace)).isEqualTo(1_180);
    assertInvariants(trace);
  }

  @Test
  void mooncakeSynthetic() {
    Trace trace = TraceReaders.read(TraceText.real("mooncake/synthetic_trace.jsonl"));
    TraceStatistics statistics = TraceStatistics.of(trace);

    assertThat(statistics.requests()).isEqualTo(3_993);
    assertThat(100 * statistics.reusedBlockShare()).isCloseTo(63.96, within(0.005));
    assertThat(100 * statistics.reusedTokenShare()).isCloseTo(65.12, within(0.005));
    assertInvariants(trace);
  }

  @Test
  void claudeCode373() {
    Trace trace = TraceReaders.read(TraceText.real("claude-code/claude-code-373.jsonl.zst"));
    TraceStatistics statistics = TraceStatistics.of(trace);

    assertThat(statistics.topLevelRequests()).isEqualTo(26_316);
    assertThat(statistics.subAgentRequests()).isEqualTo(277);
    assertThat(statistics.topLevelInputTokens()).isEqualTo(3_309_442_132L);
    assertThat(100 * statistics.topLevelSessionReusedShare()).isCloseTo(96.47, within(0.005));
    assertThat(trace.sessionCount()).isEqualTo(373 + 28);
    assertThat(trace.provenance().counters())
        .containsEntry("requests without output, replayed as one token", 21L)
        .containsEntry("sub-agent markers that stand at the sub-agent's end", 24L)
        .containsEntry("sub-agents with times relative to their own start", 28L)
        .containsEntry("sub-agents that nobody waits for", 4L)
        .containsEntry(
            "waits longer than the time since the turn before them began, not used", 2372L)
        .containsEntry("turns released by a start-to-start gap", 74L + 2372);
    assertInvariants(trace);
  }

  /**
   * 1,291 hours of waiting are recorded, 313 of them where the request before has no end: in all
   * but 29 of those turns, the time counts from an earlier request. What is left, 978 hours, is as
   * recorded.
   */
  @Test
  void nobodyWaitsLongerThanFromStartToStart() {
    Trace trace = TraceReaders.read(TraceText.real("claude-code/claude-code-373.jsonl.zst"));
    long waits = 0;
    long turns = 0;
    for (int s = 0; s < trace.sessionCount(); s++) {
      for (int turn = 1; turn < trace.requestCount(s); turn++) {
        int before = trace.request(s, turn - 1);
        int r = trace.request(s, turn);
        long wait = Marginals.waitAfter(trace, before, r);
        if (wait >= 0) {
          assertThat(wait - (trace.arrivalNanos(r) - trace.arrivalNanos(before)))
              .isLessThan(1_000_000_000L);
          waits += wait;
          turns++;
        }
      }
    }
    assertThat(turns).isEqualTo(26_192 - 2446);
    assertThat(waits / 3_600_000_000_000L).isEqualTo(978);
  }

  /**
   * Design figure: 2.8 runs a prompt; a shared prefix adds a seam to most prompts of the sessions
   * that share it.
   */
  @Test
  void aPromptIsAFewRuns() {
    var file = TraceText.real("claude-code/claude-code-373.jsonl.zst");
    TraceOptions apart = TraceOptions.defaults().withSharedSystemPrefix(false);

    assertThat(runsPerPrompt(TraceReaders.read(List.of(file), apart)))
        .isCloseTo(3.36, within(0.01));
    assertThat(runsPerPrompt(TraceReaders.read(file))).isLessThan(3.6);
  }

  /**
   * Every sub-agent that the parent waits for was recorded to start within a second of the parent's
   * last response.
   */
  @Test
  void subAgentsStartWhenTheirParentHasCalledThem() {
    Trace trace = TraceReaders.read(TraceText.real("claude-code/claude-code-373.jsonl.zst"));
    int children = 0;
    for (int s = 0; s < trace.sessionCount(); s++) {
      if (trace.parentSession(s) >= 0) {
        int first = trace.firstRequest(s);
        assertThat(trace.edgeEnd(first) - trace.edgeStart(first)).isEqualTo(1);
        assertThat(trace.edgeTrigger(trace.edgeStart(first))).isEqualTo(EdgeTrigger.COMPLETION);
        assertThat(trace.edgeDelayNanos(trace.edgeStart(first))).isBetween(0L, 1_000_000_000L);
        children++;
      }
    }
    assertThat(children).isEqualTo(28);
  }

  @Test
  void theSharedPrefixOnlyAddsReuseBetweenSessions() {
    var file = TraceText.real("claude-code/claude-code-40.jsonl.gz");
    TraceStatistics shared = TraceStatistics.of(TraceReaders.read(file));
    TraceStatistics apart =
        TraceStatistics.of(
            TraceReaders.read(
                List.of(file), TraceOptions.defaults().withSharedSystemPrefix(false)));

    assertThat(shared.requests()).isEqualTo(1_998);
    assertThat(shared.sessionReusedTokens()).isEqualTo(apart.sessionReusedTokens());
    assertThat(apart.reusedTokens()).isEqualTo(apart.sessionReusedTokens());
    assertThat(shared.reusedTokens()).isGreaterThan(apart.reusedTokens());
    assertThat(apart.uniqueBlocks() - shared.uniqueBlocks())
        .isEqualTo((shared.reusedTokens() - apart.reusedTokens()) / 64);
  }

  @Test
  void aFolderOfSessionsEqualsItsFiles() {
    var folder = TraceText.real("claude-code/samples");
    Trace trace = TraceReaders.read(folder);

    assertThat(trace.provenance().files())
        .extracting(TraceProvenance.SourceFile::name)
        .containsExactly(
            "trace_0026.json", "trace_0058.json", "trace_0277.json", "trace_0504.json");
    assertThat(trace.sessionCount()).isEqualTo(8);
    assertThat(trace.sessionId(3)).isEqualTo("trace_0277/agent_001");
    assertInvariants(trace);
  }

  @Test
  void theSmallFilesOfEachFormat() {
    assertThat(
            TraceReaders.read(TraceText.real("formats/dynamo.request.trace.v1.agent.jsonl"))
                .requestCount())
        .isEqualTo(1);
    assertThat(
            TraceReaders.read(TraceText.real("formats/dynamo.request.trace.v1.sink_wrapped.jsonl"))
                .requestCount())
        .isEqualTo(1);
    assertThat(
            TraceReaders.read(TraceText.real("formats/mooncake_sessions.constructed.jsonl"))
                .sessionCount())
        .isEqualTo(1);
    assertThat(
            TraceReaders.read(
                    TraceText.real("formats/mooncake_delta.aiperf_inference_day.first4.jsonl"))
                .provenance()
                .notes())
        .hasSize(1);
    Trace agentic =
        TraceReaders.read(
            List.of(TraceText.real("formats/agentic_mooncake.constructed.jsonl")),
            TraceOptions.defaults().withBlockSize(64));
    assertThat(EdgeText.of(agentic, "c0")).isEqualTo("COMPLETION r0 +5 ms");
    assertThat(EdgeText.of(agentic, "r1"))
        .isEqualTo("COMPLETION r0 +440.5 ms, COMPLETION c0 +440.5 ms");
    Trace bailian = TraceReaders.read(TraceText.real("formats/qwen_bailian.constructed.jsonl"));
    assertThat(bailian.requestCount()).isEqualTo(3);
    assertThat(bailian.provenance().counters())
        .containsEntry("rows whose parent is not in the trace, taken as a chat's beginning", 1L);
    Trace burst = TraceReaders.read(TraceText.real("formats/burstgpt_v2_first_rows.csv"));
    assertThat(burst.recordedTotalNanos(0)).isEqualTo(43_000_000_000L);
    assertThat(burst.blocksKnown()).isFalse();
    Trace delta =
        TraceReaders.read(
            TraceText.real("formats/mooncake_delta.aiperf_inference_day.first4.jsonl"));
    assertThat(delta.provenance().format()).isEqualTo("mooncake-delta");
    assertThat(delta.inputTokens(3)).isEqualTo(43_540 + 1_073 + 499 + 583 + 7_931 + 1_139 + 8_374);
    assertThat(delta.namedBlocks(0)).isEqualTo((43_540 + 1_073 - 1 + 511) / 512);
  }

  /** 8,819 requests; figures of the format description. */
  @Test
  void azureCode() {
    Trace trace = TraceReaders.read(TraceText.real("azure/AzureLLMInferenceTrace_code.csv"));

    assertThat(trace.requestCount()).isEqualTo(8_819);
    assertThat(TraceStatistics.of(trace).inputTokens() / 8_819).isEqualTo(2_047);
    assertThat(trace.arrivalNanos(1)).isEqualTo(52_000_000L);
    assertThat(trace.blocksKnown()).isFalse();
    assertInvariants(trace);
  }

  private static long partialRepeats(Trace trace) {
    boolean[] seen = new boolean[Math.toIntExact(trace.blockCount())];
    long repeats = 0;
    for (int r = 0; r < trace.requestCount(); r++) {
      int partial = trace.partialBlock(r);
      if (partial >= 0) {
        repeats += seen[partial] ? 1 : 0;
        seen[partial] = true;
      }
    }
    return repeats;
  }

  private static long distinctArrivals(Trace trace) {
    return java.util.stream.IntStream.range(0, trace.requestCount())
        .mapToLong(trace::arrivalNanos)
        .distinct()
        .count();
  }

  private static double runsPerPrompt(Trace trace) {
    long runs = 0;
    for (int r = 0; r < trace.requestCount(); r++) {
      runs += trace.promptRunEnd(r) - trace.runStart(r);
    }
    return (double) runs / trace.requestCount();
  }

  /**
   * What every trace promises: runs cover the named blocks, ids are chained, order, sessions and
   * edges are consistent.
   */
  static void assertInvariants(Trace trace) {
    int[] predecessor = new int[Math.toIntExact(trace.blockCount())];
    java.util.Arrays.fill(predecessor, -2);
    List<String> wrong = new ArrayList<>();
    for (int r = 0; r < trace.requestCount(); r++) {
      long prompt = 0;
      long all = 0;
      int previous = -1;
      for (int run = trace.runStart(r); run < trace.runEnd(r); run++) {
        prompt += run < trace.promptRunEnd(r) ? trace.runLength(run) : 0;
        all += trace.runLength(run);
        for (int id = trace.runFirst(run); id < trace.runFirst(run) + trace.runLength(run); id++) {
          if (predecessor[id] != -2 && predecessor[id] != previous) {
            wrong.add("block " + id + " has two predecessors");
          }
          predecessor[id] = previous;
          previous = id;
        }
      }
      if (prompt != trace.identifiedBlocks(r) || all != trace.namedBlocks(r)) {
        wrong.add("runs of request " + r);
      }
      if (trace.request(trace.session(r), trace.turn(r)) != r) {
        wrong.add("turn of request " + r);
      }
      boolean out =
          trace.sharedClock()
              && r > 0
              && trace.edgeStart(r) == trace.edgeEnd(r)
              && trace.arrivalNanos(r) < trace.arrivalNanos(r - 1);
      if (out || trace.arrivalNanos(r) == Trace.NO_TIME && trace.edgeStart(r) == trace.edgeEnd(r)) {
        wrong.add("arrival of request " + r);
      }
      boolean late =
          trace.recordedTotalNanos(r) != Trace.NO_TIME
              && trace.recordedTtftNanos(r) > trace.recordedTotalNanos(r);
      if (late
          || trace.recordedCachedTokens(r) > trace.inputTokens(r)
          || trace.inputTokens(r) < 1
          || trace.outputTokens(r) < 1) {
        wrong.add("facts of request " + r);
      }
    }
    assertThat(wrong).isEmpty();
  }
}

package io.orrery.scenarios;

import static io.orrery.scenarios.Refusals.refused;
import static io.orrery.scenarios.Refusals.refusedWhole;

import org.junit.jupiter.api.Test;

/** Keys that need or exclude one another. */
class ScenarioRulesTest {
  @Test
  void settingsThatDoNotGoTogether() {
    refusedWhole(
        "trace:\n  files: t.jsonl\n  closedLoop: {arrivals: poisson}",
        "x.yaml:3: trace.closedLoop.arrivals.process: found poisson without a rate, expected"
            + " trace.closedLoop.arrivals.rate beside it");
    refusedWhole(
        "trace:\n  files: t.jsonl\n  closedLoop: {arrivals: {rate: 2}}",
        "x.yaml:3: trace.closedLoop.arrivals.rate: found a rate for recorded arrivals, expected a process: poisson, uniform or"
            + " gamma");
    refusedWhole(
        "trace:\n  files: t.jsonl\n  closedLoop:\n    arrivals: {process: poisson, rate: 2, cv: 2}",
        "x.yaml:4: trace.closedLoop.arrivals.cv: found a coefficient of variation for poisson arrivals, expected process gamma,"
            + " or no cv");
    refusedWhole(
        "trace:\n  files: t.jsonl\n  closedLoop:\n    arrivals: {process: poisson, rate: 2, jitter: 1 s}",
        "x.yaml:4: trace.closedLoop.arrivals.jitter: found a jitter of poisson arrivals, expected process recorded,"
            + " or no jitter");
    refusedWhole(
        "trace:\n  files: t.jsonl\n  lanes:\n    recycle: true",
        "x.yaml:4: trace.lanes.recycle: found true without an end, expected trace.lanes.limit or limits.simulatedTime"
            + " beside it");
    refused(
        "engine:\n  preset: vllm-2026-05\n  watermark: 0.01",
        "x.yaml:4: engine.watermark: found 0.01, expected 0, since vllm-2026-05 has no watermark");
    refused(
        "cluster: {pools: [{name: a},\n {name: a}]}",
        "x.yaml:3: cluster.pools[1].name: found a a second time, expected a name of its own for each pool");
    refused(
        "cluster: {pools: [{role: decode}]}",
        "x.yaml:2: cluster.pools[0].role: found decode, expected aggregated (prefill and decode pools are not supported by this"
            + " version)");
  }

  @Test
  void speculationNeedsAcceptanceAndAnEngineThatSpeculates() {
    refused(
        "engine: {speculation: mtp}",
        "x.yaml:2: engine.speculation.method: found mtp without acceptance, expected engine.speculation.acceptance beside it");
    refused(
        "engine: {speculation: {method: eagle, draftTokens: 3, acceptance: [0.8, 0.5]}}",
        "x.yaml:2: engine.speculation.acceptance: found [0.8, 0.5], expected one number, or one for each of 3 drafted"
            + " tokens");
    refused(
        "engine: {speculation: {method: ngram, acceptance: 0.8, draftLayers: 2}}",
        "x.yaml:2: engine.speculation.draftLayers: found 2, expected auto, since look-ups in the prompt (ngram) take no"
            + " layers");
    refused(
        "engine: {preset: sglang-2026-07, speculation: {method: mtp, acceptance: 0.8}}",
        "x.yaml:2: engine.speculation.method: found mtp, expected none, since speculative decoding is modelled for"
            + " vLLM's presets only");
    refused(
        "engine: {speculation: {acceptance: 0.8}}",
        "x.yaml:2: engine.speculation.acceptance: found [0.8], expected engine.speculation.method beside it: mtp, eagle or"
            + " ngram");
  }

  @Test
  void aKeyThatHasNoEffectOnTheEngineIsRefused() {
    refused(
        """
        engine:
          preset: sglang-2026-07
          maxBatchedTokens: 4096
          chunkedPrefillSize: 100
          blockSize: 16
        """,
        "x.yaml:4: engine.maxBatchedTokens: found 4096, expected no such key, since it has no effect on sglang-2026-07\n"
            + "x.yaml:5: engine.chunkedPrefillSize: found 100, expected a multiple of engine.blockSize, 16");
    refused(
        """
        engine: {preset: trtllm-2026-07, maxBatchedTokens: 16, schedulePolicy: lpm}
        """,
        "x.yaml:2: engine.schedulePolicy: found lpm, expected no such key, since it has no effect on trtllm-2026-07\n"
            + "x.yaml:2: engine.maxBatchedTokens: found 16, expected at least engine.blockSize, 32, since chunks are whole"
            + " blocks");
  }
}

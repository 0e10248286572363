package io.orrery.scenarios;

import static io.orrery.scenarios.Refusals.load;
import static io.orrery.scenarios.Refusals.refusal;
import static io.orrery.scenarios.Refusals.refused;
import static io.orrery.scenarios.Refusals.refusedSet;
import static io.orrery.scenarios.Refusals.refusedWhole;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.scenarios.text.ScenarioException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** One test per kind of mistake, on the whole message. */
class ScenarioErrorsTest {
  private static final String SECTIONS =
      "one of trace, cluster, engine, cache, stepTime, routing, admission, slo, cost, seed, limits, variants, sweep, plan";
  private static final String ENGINE_KEYS =
      "one of preset, blockSize, kvBlocks, maxBatchedTokens, maxSequences, chunkedPrefill, prefixCaching, asyncScheduling,"
          + " maxModelLength, schedulingPolicy, longPrefillTokenThreshold, reserveFullPrompt, watermark, capacityPolicy,"
          + " schedulePolicy, scheduleConservativeness, chunkedPrefillSize, maxPrefillTokens, speculation";
  private static final String DURATION =
      "a duration such as \"2 s\" (units: ns, us, ms, s, min, h)";

  @Test
  void anUnknownKeyNamesItsNearestNeighbour() {
    refused(
        "engine: {blokSize: 16}",
        "x.yaml:2: engine.blokSize: found an unknown key, expected "
            + ENGINE_KEYS
            + " (did you mean blockSize?)");
    refused(
        "sede: 3",
        "x.yaml:2: sede: found an unknown key, expected " + SECTIONS + " (did you mean seed?)");
    refused(
        "cluster:\n  pools:\n    - name: main\n      worker: 3",
        "x.yaml:5: cluster.pools[0].worker: found an unknown key, expected one of name, role, workers, gpu, model,"
            + " tensorParallel, pipelineParallel, expertParallel, attentionDataParallel, precision, gpuMemoryUtilization, weight, labels (did you mean workers?)");
    refused(
        "routing: {polcy: random}",
        "x.yaml:2: routing.polcy: found an unknown key, expected one of policy, indexDelay, indexLoss, metricsInterval,"
            + " replicas, replicaDelay, activeRequestExpiry, lookUpTime, updateTime, busyBlocks, busyPrefillTokens,"
            + " busyPrefillSteps, queue, placement, or a parameter of the policy (did you mean policy?)");
  }

  @Test
  void aKeyInTheWrongPlaceNamesTheRightOne() {
    refused(
        "policy: random",
        "x.yaml:2: policy: found an unknown key, expected "
            + SECTIONS
            + " (did you mean routing.policy?)");
    refused(
        "routing.policy: random",
        "x.yaml:2: routing.policy: found an unknown key, expected "
            + SECTIONS
            + " (in a file, keys nest: routing: {policy: ...})");
  }

  @Test
  void aKeyThatResemblesNothingGetsTheList() {
    refused(
        "scheduler_output: 3",
        "x.yaml:2: scheduler_output: found an unknown key, expected " + SECTIONS);
    refused(
        "\"line\\nbreak\": 3",
        "x.yaml:2: \"line\\nbreak\": found an unknown key, expected " + SECTIONS);
  }

  @Test
  void wrongTypes() {
    refused(
        "engine: {chunkedPrefill: yes}",
        "x.yaml:2: engine.chunkedPrefill: found yes, expected true or false");
    refused(
        "engine: {blockSize: \"16\"}",
        "x.yaml:2: engine.blockSize: found \"16\", expected a whole number from 1 to 1048576");
    refused(
        "engine: {blockSize: 16.5}",
        "x.yaml:2: engine.blockSize: found 16.5, expected a whole number from 1 to 1048576");
    refused(
        "engine: {blockSize: 0x10}",
        "x.yaml:2: engine.blockSize: found 0x10, expected a whole number from 1 to 1048576");
    refused(
        "engine: {blockSize: 020}",
        "x.yaml:2: engine.blockSize: found 020, expected a whole number from 1 to 1048576");
    refused(
        "engine: {blockSize: {tokens: 16}}",
        "x.yaml:2: engine.blockSize: found a mapping, expected a whole number from 1 to 1048576");
    refused(
        "engine: {blockSize: [16]}",
        "x.yaml:2: engine.blockSize: found a list, expected a whole number from 1 to 1048576");
    refused(
        "engine:\n  blockSize:\n",
        "x.yaml:3: engine.blockSize: found nothing, expected a whole number from 1 to 1048576");
    refused(
        "cache: {completionReuse: often}",
        "x.yaml:2: cache.completionReuse: found often, expected verbatim, none, or a probability from 0 to 1");
    refused(
        "stepTime: {speedup: .nan}",
        "x.yaml:2: stepTime.speedup: found .nan, expected a number above 0 and up to 1000000000");
    refused(
        "routing: {policy: [random]}",
        "x.yaml:2: routing.policy: found a list, expected the name of a routing policy");
  }

  @Test
  void sectionsAndLists() {
    refused(
        "trace.x",
        "x.yaml:2: found malformed YAML (could not find expected ':'), expected valid YAML");
    refused(
        "limits: 5",
        "x.yaml:2: limits: found 5, expected a mapping with keys out of simulatedTime");
    refused(
        "limits: []",
        "x.yaml:2: limits: found an empty list, expected a mapping with keys out of simulatedTime");
    refused(
        "cluster: {pools: {}}",
        "x.yaml:2: cluster.pools: found an empty mapping, expected a list of at least one mapping with keys out of name, role,"
            + " workers, gpu, model, tensorParallel, pipelineParallel, expertParallel, attentionDataParallel, precision, gpuMemoryUtilization, weight, labels");
    assertThatThrownBy(() -> load("just text"))
        .hasMessageStartingWith("x.yaml:1: found \"just text\", expected a mapping with keys");
    assertThatThrownBy(() -> load("- a"))
        .hasMessageStartingWith("x.yaml:1: found a list, expected a mapping with keys");
  }

  @Test
  void wrongUnits() {
    refused("slo: {ttft: 2}", "x.yaml:2: slo.ttft: found 2, expected " + DURATION + ", above 0");
    refused(
        "slo: {ttft: 2 sec}",
        "x.yaml:2: slo.ttft: found \"2 sec\", expected " + DURATION + ", above 0");
    refused(
        "slo: {ttft: 2 GiB}",
        "x.yaml:2: slo.ttft: found \"2 GiB\", expected " + DURATION + ", above 0");
    refused(
        "slo: {tokensPerSecondPerUser: 50 ms}",
        "x.yaml:2: slo.tokensPerSecondPerUser: found \"50 ms\", expected a number above 0 and up to 1000000000, alone or as in"
            + " \"50 tokens/s\"");
    refused(
        "limits: {simulatedTime: 600}",
        "x.yaml:2: limits.simulatedTime: found 600, expected none, or " + DURATION + ", above 0");
  }

  @Test
  void outOfRange() {
    refused(
        "engine: {blockSize: 0}",
        "x.yaml:2: engine.blockSize: found 0, expected a whole number from 1 to 1048576");
    refused(
        "seed: -1",
        "x.yaml:2: seed: found -1, expected a whole number from 0 to 9223372036854775807");
    refused(
        "seed: 9223372036854775808",
        "x.yaml:2: seed: found 9223372036854775808, expected a whole number from 0 to 9223372036854775807");
    refused(
        "engine: {watermark: 1}",
        "x.yaml:2: engine.watermark: found 1, expected a number from 0 to below 1");
    refused(
        "slo: {ttft: 0 s}",
        "x.yaml:2: slo.ttft: found \"0 s\", expected " + DURATION + ", above 0");
    refused(
        "stepTime: {speedup: 0}",
        "x.yaml:2: stepTime.speedup: found 0, expected a number above 0 and up to 1000000000");
    refused(
        "stepTime: {speedup: 1e99}",
        "x.yaml:2: stepTime.speedup: found 1e99, expected a number above 0 and up to 1000000000");
    refused(
        "engine: {blockSize: " + "1".repeat(100) + "}",
        "x.yaml:2: engine.blockSize: found \""
            + "1".repeat(57)
            + "...\", expected a whole number from 1 to 1048576");
  }

  @Test
  void wordsThatAreNotOnTheList() {
    refused(
        "trace2: 1\nengine: {preset: vllm-2026-7}",
        "x.yaml:2: trace2: found an unknown key, expected "
            + SECTIONS
            + " (did you mean trace?)\n"
            + "x.yaml:3: engine.preset: found vllm-2026-7, expected one of vllm-2026-07, vllm-2026-05, sglang-2026-07, trtllm-2026-07"
            + " (did you mean vllm-2026-07?)");
    refused(
        "stepTime: {model: roofine}",
        "x.yaml:2: stepTime.model: found roofine, expected one of law, table, roofline, polynomial (did you mean roofline?)");
  }

  @Test
  void allMistakesAreSaidAtOnceInTheOrderOfTheFile() {
    ScenarioException e = refusal("seed: x\nslo: {ttft: 1}\nlimit: {}");
    assertThat(e.problems())
        .extracting(p -> p.position().line() + " " + p.path())
        .containsExactly("2 seed", "3 slo.ttft", "4 limit");
    assertThat(e.getMessage()).hasLineCount(3);
  }

  @Test
  void aScenarioNeedsATrace() {
    refusedWhole(
        "seed: 1", "x.yaml: trace.files: found nothing, expected a path or a list of paths");
    refusedWhole(
        "trace: {files: []}",
        "x.yaml:1: trace.files: found an empty list, expected a path or a list of paths");
    assertThatThrownBy(() -> ScenarioLoader.withoutFile(CommandLineSettings.none()))
        .hasMessage("command line: trace.files: found nothing, expected a path or a list of paths");
  }

  @Test
  void variantsThatAreNone() {
    String name =
        "a name of at most 64 letters, digits, blanks and \".\", \"_\", \"+\", \"@\", \"=\", \"-\", starting with a"
            + " letter or digit";
    refused(
        "variants: {a: 1}",
        "x.yaml:2: variants: found a mapping, expected a list of mappings with name and set");
    refused(
        "variants: []",
        "x.yaml:2: variants: found an empty list, expected a list of mappings with name and set");
    refused(
        "variants: [a]", "x.yaml:2: variants[0]: found a, expected a mapping with name and set");
    refused(
        "variants: [{set: {seed: 2}}]",
        "x.yaml:2: variants[0].name: found nothing, expected " + name);
    refused("variants: [{name: ../a}]", "x.yaml:2: variants[0].name: found ../a, expected " + name);
    refused(
        "variants:\n  - name: a\n  - name: a\n",
        "x.yaml:4: variants[1].name: found a a second time, expected a name of its own (the first is in line 3)");
    refused(
        "variants: [{name: a, sets: {seed: 2}}]",
        "x.yaml:2: variants[0].sets: found an unknown key, expected one of name, set (did you mean set?)");
    refused(
        "variants: [{name: a, set: [seed]}]",
        "x.yaml:2: variants[0].set: found a list, expected a mapping of dotted paths to values, as {routing.policy: random}");
  }

  @Test
  void whatVariantsSetIsCheckedLikeTheFile() {
    refused(
        "variants:\n  - name: a\n    set:\n      engine.blokSize: 8\n",
        "x.yaml:5: engine.blokSize: found an unknown key, expected "
            + ENGINE_KEYS
            + " (did you mean blockSize?)");
    refused(
        "variants:\n  - name: a\n    set:\n      engine: {chunkedPrefill: 1}\n",
        "x.yaml:5: engine.chunkedPrefill: found 1, expected true or false");
    refused(
        "variants: [{name: a, set: {engine..preset: x}}]",
        "x.yaml:2: engine..preset: found a malformed path, expected a dotted path such as routing.policy");
    refused(
        "variants: [{name: a, set: {seed.x: 1}}]",
        "x.yaml:2: seed.x: found a path below a plain value, expected seed alone");
    refused(
        "variants: [{name: a, set: {variants: []}}]",
        "x.yaml:2: variants: found an override of variants, expected a key outside variants");
    refused(
        "variants: [{name: a, set: {cluster.pools.spare.workers: 2}}]",
        "x.yaml:2: cluster.pools: found the name spare, expected one of main");
    refused(
        "variants: [{name: a, set: {\"cluster.pools[1].workers\": 2}}]",
        "x.yaml:2: cluster.pools: found index [1], expected one of main");
  }

  @Test
  void whatTheCommandLineSetsIsCheckedLikeTheFile() {
    refusedSet(
        "engine.blokSize=8",
        "--set: engine.blokSize: found an unknown key, expected "
            + ENGINE_KEYS
            + " (did you mean blockSize?)");
    refusedSet(
        "engine.blockSize=x",
        "--set: engine.blockSize: found x, expected a whole number from 1 to 1048576");
    refusedSet(
        "engine.blockSize=",
        "--set: engine.blockSize: found nothing, expected a whole number from 1 to 1048576");
    refusedSet("engine.blockSize", "--set: found \"engine.blockSize\", expected PATH=VALUE");
    refusedSet("=8", "--set: found \"=8\", expected PATH=VALUE");
    refusedSet(
        "routing.policy={a: [}",
        "--set: routing.policy: found malformed YAML (expected the node content, but found '}'), expected valid YAML");
    assertThatThrownBy(
            () ->
                ScenarioLoader.withoutFile(
                    CommandLineSettings.none().withTraces(List.of("t")).withSeed(-1)))
        .hasMessage(
            "--seed: seed: found -1, expected a whole number from 0 to 9223372036854775807");
  }

  @Test
  void parametersOfAPolicyAreOneLevelDeep() {
    refused(
        "routing: {policy: kv-aware, weights: {host: 1}}",
        "x.yaml:2: routing.weights: found a mapping, expected a number, true or false, a text, or a list of these");
    refused(
        "routing: {policy: kv-aware, temperature: }",
        "x.yaml:2: routing.temperature: found nothing, expected a number, true or false, a text, or a list of these");
  }
}

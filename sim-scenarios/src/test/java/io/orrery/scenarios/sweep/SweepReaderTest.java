package io.orrery.scenarios.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.scenarios.CommandLineSettings;
import io.orrery.scenarios.ScenarioLoader;
import io.orrery.scenarios.text.ScenarioException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SweepReaderTest {
  private static Sweep read(String sweep, String... assignments) {
    CommandLineSettings commandLine = CommandLineSettings.none();
    for (String assignment : assignments) {
      commandLine = commandLine.with(assignment);
    }
    return SweepReader.read(
        ScenarioLoader.layersOf(
            "trace: {files: t.jsonl}\nseed: 7\n" + sweep, "s.yaml", Path.of(""), commandLine));
  }

  private static List<String> names(Sweep sweep) {
    return IntStream.range(0, sweep.size()).mapToObj(i -> sweep.point(i).name()).toList();
  }

  @Test
  void aGridIsEveryValueWithEveryOtherTheLastKeyFastest() {
    Sweep sweep =
        read(
            """
            sweep:
              grid:
                routing.policy: [random, kv-aware]
                trace.lanes.count: [4, 8]
            """);
    assertThat(names(sweep))
        .containsExactly(
            "policy=random count=4",
            "policy=random count=8",
            "policy=kv-aware count=4",
            "policy=kv-aware count=8");
    assertThat(sweep.variant(sweep.point(2)).spec().routing().policy()).isEqualTo("kv-aware");
    assertThat(sweep.variant(sweep.point(3)).spec().trace().lanes().count()).hasValue(8);
    assertThat(sweep.factors()).extracting(Factor::name).containsExactly("policy", "count");
  }

  @Test
  void variantsChangeSlowestAndSeedsFastest() {
    Sweep sweep =
        read(
            """
            variants:
              - {name: a, set: {routing.policy: random}}
              - {name: b, set: {routing.policy: kv-aware}}
            sweep:
              zip:
                cluster.pools[0].workers: [1, 2]
                cluster.pools[0].tensorParallel: [2, 1]
              seeds: 2
            """);
    assertThat(names(sweep))
        .containsExactly(
            "a workers=1 tensorParallel=2 seed=7",
            "a workers=1 tensorParallel=2 seed=8",
            "a workers=2 tensorParallel=1 seed=7",
            "a workers=2 tensorParallel=1 seed=8",
            "b workers=1 tensorParallel=2 seed=7",
            "b workers=1 tensorParallel=2 seed=8",
            "b workers=2 tensorParallel=1 seed=7",
            "b workers=2 tensorParallel=1 seed=8");
    assertThat(sweep.point(5).group()).isEqualTo("b workers=1 tensorParallel=2");
    assertThat(sweep.variant(sweep.point(5)).spec().seed()).isEqualTo(8);
    assertThat(sweep.variant(sweep.point(5)).spec().routing().policy()).isEqualTo("kv-aware");
  }

  @Test
  void pointsMayBeWrittenOut() {
    Sweep sweep =
        read(
            """
            sweep:
              list:
                - {name: plain}
                - {name: late, set: {routing.indexDelay: 10 ms, routing.policy: kv-aware}}
              seeds: [3, 9]
            """);
    assertThat(names(sweep))
        .containsExactly("plain seed=3", "plain seed=9", "late seed=3", "late seed=9");
    assertThat(sweep.point(0).set()).containsOnlyKeys("seed");
    assertThat(sweep.point(3).values()).containsExactly("10 ms", "kv-aware", "9");
  }

  @Test
  void drawnPointsStayWhenMoreAreDrawn() {
    String text =
        """
        sweep:
          random:
            points: %d
            keys:
              cluster.pools[0].workers: {from: 1, to: 64, scale: log, whole: true}
              routing.policy: [random, kv-aware]
              engine.watermark: {from: 0.1, to: 0.2}
        """;
    Sweep few = read(text.formatted(5));
    Sweep many = read(text.formatted(200));
    assertThat(names(many).subList(0, 5)).isEqualTo(names(few));
    assertThat(names(many)).doesNotHaveDuplicates();
    int small = 0;
    for (int i = 0; i < many.size(); i++) {
      int workers = many.variant(many.point(i)).spec().pools().get(0).workers();
      assertThat(workers).isBetween(1, 64);
      small += workers <= 8 ? 1 : 0;
      double watermark = Double.parseDouble(many.point(i).set().get("engine.watermark"));
      assertThat(watermark).isBetween(0.1, 0.2);
    }
    // Half of the decades from 1 to 64 lie below 8.
    assertThat(small).isBetween(80, 135);
  }

  @Test
  void parametersGoWithThePolicyWhateverTheOrderOfTheKeys() {
    Sweep sweep =
        read(
            """
            sweep:
              grid:
                routing.temperature: [0, 0.5]
                routing.policy: [kv-aware]
            """);
    assertThat(sweep.variant(sweep.point(1)).config().get("routing.temperature"))
        .hasValueSatisfying(setting -> assertThat(setting.value().text()).isEqualTo("0.5"));
  }

  private static void refused(String sweep, String message) {
    assertThatThrownBy(() -> read(sweep))
        .isInstanceOf(ScenarioException.class)
        .hasMessageContaining(message);
  }

  @Test
  void whatIsWrongIsNamedWithItsLine() {
    refused("", "s.yaml: sweep: found nothing, expected what to go through");
    refused("sweep: {}", "s.yaml:3: sweep: found an empty mapping");
    refused("sweep: {gird: {seed: [1]}}", "s.yaml:3: sweep.gird: found an unknown key");
    refused("sweep: {grid: {}}", "sweep.grid: found an empty mapping");
    refused(
        "sweep: {grid: {seed: []}}", "sweep.grid.seed: found an empty list, expected a list of");
    refused("sweep: {grid: {seed: 3}}", "sweep.grid.seed: found 3, expected a list of");
    refused("sweep: {grid: {seed: [3, 3]}}", "found 3 a second time");
    refused(
        "sweep: {grid: {routing.polcy: [random]}}",
        "s.yaml:3: routing.polcy: found an unknown key");
    refused("sweep: {grid: {trace.lanes.count: [4, many]}}", "trace.lanes.count: found many");
    refused(
        "sweep: {zip: {seed: [1, 2], trace.lanes.count: [4]}}",
        "found 1 values, expected 2, as many as seed has");
    refused("sweep: {list: [{set: {seed: 1}}]}", "sweep.list[0].name: found nothing");
    refused("sweep: {list: [{name: a, sets: 1}]}", "sweep.list[0].sets: found an unknown key");
    refused("sweep: {random: {points: 0, keys: {seed: [1]}}}", "sweep.random.points: found 0");
    refused(
        "sweep: {random: {points: 2, keys: {seed: {from: 2, to: 1}}}}",
        "sweep.random.keys.seed: found a mapping, expected a list of values, or a range");
    refused("sweep: {seeds: none}", "sweep.seeds: found none, expected how many seeds");
    refused(
        "sweep: {grid: {seed: [1]}, zip: {seed: [2]}}", "found seed in two places, expected each");
    refused(
        "sweep: {random: {points: 2000000, keys: {seed: {from: 1, to: 9, whole: true}}}}",
        "sweep.random.points: found 2000000, expected a whole number from 1 to 1000000");
    refused(
        "sweep: {seeds: 2000, random: {points: 2000, keys: {engine.watermark: {from: 0, to: 0.5}}}}",
        "sweep: found 4000000 points, expected at most 1000000");
    refused("sweep: {seeds: [3, 3]}", "sweep.seeds: found 3 a second time");
    refused(
        "sweep: {random: {points: 2, keys: {seed: {from: 1.5, to: 1.9, whole: true}}}}",
        ", A and B whole");
  }

  /** Otherwise points would be told apart by what only one of two names had set in them. */
  @Test
  void aKeyIsSetInOnePlaceWhateverItIsCalledThere() {
    String twice = "found cluster.pools[0].workers in two places, expected each key in one";
    refused(
        "sweep: {grid: {cluster.pools.main.workers: [1], \"cluster.pools[0].workers\": [2]}}",
        twice);
    refused(
        "sweep: {zip: {cluster.pools.main.workers: [1], \"cluster.pools[0].workers\": [2]}}",
        twice);
    refused(
        "sweep: {grid: {cluster.pools.main.workers: [1], cluster.pools: [[{gpu: b200}]]}}", twice);
    refused(
        "sweep: {grid: {trace.lanes: [{count: 1}]}, list: [{name: a, set: {trace.lanes.count: 2}}]}",
        "found trace.lanes.count in two places");
    Sweep sweep =
        read(
            "sweep: {grid: {cluster.pools: [[{gpu: b200}]], \"cluster.pools[0].workers\": [3, 4]}}");
    assertThat(sweep.variant(sweep.point(1)).spec().workers()).isEqualTo(4);
  }

  /** One point would run twice, under two names, and count twice in every mean. */
  @Test
  void valuesThatAreTheSameAreRefusedHoweverTheyAreWritten() {
    refused(
        "sweep: {grid: {routing.indexDelay: [2 s, 5 s, 2000 ms]}}",
        "s.yaml:3: sweep.grid.routing.indexDelay: found 2000 ms, which sets the same as 2 s,"
            + " expected each once");
    refused("sweep: {grid: {engine.watermark: [0.1, 0.10]}}", "found 0.10, which sets the same as");
    refused(
        "sweep: {grid: {routing.temperature: [1, 1e0]}}", "found 1e0, which sets the same as 1");
    refused("sweep: {grid: {routing.ttl: [10 min, 600 s]}}", "found 600 s, which sets the same as");
    refused("sweep: {seeds: [3, +3]}", "sweep.seeds: found +3, which sets the same as 3");
    refused(
        "sweep: {zip: {trace.lanes.count: [4, 4], routing.indexDelay: [1 s, 1000 ms]}}",
        "{trace.lanes.count=4, routing.indexDelay=1000 ms}, which sets the same as");
    refused(
        "sweep: {list: [{name: a, set: {cluster.pools.main.workers: 2}},"
            + " {name: b, set: {\"cluster.pools[0].workers\": 2}}]}",
        "sweep.list: found b, which sets the same as a");
    refused("sweep: {list: [{name: a}, {name: b}]}", "found b, which sets the same as a");
    assertThat(read("sweep: {grid: {routing.indexDelay: [2 s, 2 ms]}}").size()).isEqualTo(2);
    assertThat(read("sweep: {zip: {trace.lanes.count: [4, 4], seed: [1, 2]}}").size()).isEqualTo(2);
  }

  @Test
  void drawnNumbersStayInTheirRangeWhenRounded() {
    Sweep sweep =
        read(
            """
            sweep:
              random:
                points: 50
                keys:
                  stepTime.speedup: {from: 1.00011, to: 1.00049}
                  routing.temperature: {from: 0.99991, to: 0.99999, scale: log}
            """);
    for (int i = 0; i < sweep.size(); i++) {
      assertThat(new BigDecimal(sweep.point(i).set().get("stepTime.speedup")))
          .isBetween(new BigDecimal("1.00011"), new BigDecimal("1.00049"));
      assertThat(new BigDecimal(sweep.point(i).set().get("routing.temperature")))
          .isBetween(new BigDecimal("0.99991"), new BigDecimal("0.99999"));
    }
  }

  @Test
  void whatTheCommandLineSetsCannotBeSwept() {
    assertThatThrownBy(
            () -> read("sweep: {grid: {trace.lanes.count: [1, 2]}}", "trace.lanes.count=3"))
        .hasMessageContaining(
            "s.yaml:3: trace.lanes.count: found a key that --set sets, expected a key that is left"
                + " free");
    assertThatThrownBy(
            () ->
                read(
                    "sweep: {grid: {cluster.pools.main.workers: [1, 2]}}",
                    "cluster.pools[0].workers=3"))
        .hasMessageContaining("s.yaml:3: cluster.pools.main.workers: found a key that --set sets");
  }

  @Test
  void aPointWhoseSettingsDoNotGoTogetherIsRefusedByItself() {
    Sweep sweep =
        read(
            "sweep: {grid: {engine.preset: [vllm-2026-07, sglang-2026-07], engine.watermark: [0]}}");
    assertThat(sweep.variant(sweep.point(0)).name()).isEqualTo("preset=vllm-2026-07 watermark=0");
    assertThatThrownBy(() -> sweep.variant(sweep.point(1)))
        .isInstanceOf(ScenarioException.class)
        .hasMessageContaining("engine.watermark");
  }
}

package io.orrery.reports.gates;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Baselines are kept by hand: what nobody would have written by program is refused. */
class BaselineJsonTest {
  private static final String WRITTEN =
      """
      {
        "schemaVersion": 1,
        "kind": "orrery-baseline",
        "version": "0.1.0",
        "scenario": "s",
        "seeds": 1,
        "config": {
          "seed": "1"
        },
        "variants": {
          "a": {
            "digest": "d",
            "trace": "t",
            "profile": "",
            "config": {
              "routing.policy": "random"
            },
            "metrics": {
              "hit_rate.tokens": 0.25,
              "preemptions": 3
            }
          },
          "b": {
            "digest": "e",
            "trace": "t",
            "profile": "",
            "config": {
              "routing.policy": "kv-aware"
            },
            "metrics": {
              "preemptions": 4
            }
          }
        }
      }
      """;

  private static Baseline.Variant variant(
      String digest, String policy, Map<String, Number> numbers) {
    return new Baseline.Variant(
        digest,
        "t",
        "",
        new TreeMap<>(Map.of("seed", "1", "routing.policy", policy)),
        new TreeMap<>(numbers));
  }

  private static Baseline baseline() {
    TreeMap<String, Baseline.Variant> variants = new TreeMap<>();
    variants.put("b", variant("e", "kv-aware", Map.of("preemptions", 4)));
    variants.put(
        "a",
        variant(
            "d", "random", Map.of("preemptions", 3, "hit_rate.tokens", new BigDecimal("0.25"))));
    return new Baseline("0.1.0", "s", 1, variants);
  }

  @Test
  void whatVariantsShareIsWrittenOnceAndAllIsSorted() {
    assertThat(BaselineJson.of(baseline())).isEqualTo(WRITTEN);
  }

  @Test
  void itIsReadAsItWasWritten() {
    Baseline read = BaselineJson.read(WRITTEN);
    assertThat(BaselineJson.of(read)).isEqualTo(WRITTEN);
    assertThat(read.differences(baseline())).isEmpty();
    assertThat(read.changes(baseline())).isZero();
    Baseline edited = BaselineJson.read(WRITTEN.replace("0.25", "0.2501"));
    assertThat(edited.changes(baseline())).isEqualTo(1);
  }

  @Test
  void aLaterVersionsBaselineIsRefused() {
    Baseline later = BaselineJson.read(WRITTEN.replace("0.1.0", "0.2.0-SNAPSHOT"));
    assertThat(later.differences(baseline()))
        .containsExactly("version: 0.2.0-SNAPSHOT, later than this program's, 0.1.0, wrote it");
    assertThat(BaselineJson.read(WRITTEN.replace("0.1.0", "0.0.9")).differences(baseline()))
        .isEmpty();
  }

  @Test
  void aDigestThatDiffersWithoutAKeyIsTold() {
    assertThat(BaselineJson.read(WRITTEN.replace("\"d\"", "\"x\"")).differences(baseline()))
        .hasSize(1)
        .first()
        .asString()
        .contains("a: another digest of the configuration (d, not x)", "by hand");
  }

  @Test
  void otherSeedsAndScenariosDiffer() {
    String other = WRITTEN.replace("\"seeds\": 1", "\"seeds\": 3").replace(": \"s\"", ": \"t\"");
    assertThat(BaselineJson.read(other).differences(baseline()))
        .containsExactly(
            "scenario: found s, the baseline is of t", "seeds: found 1, the baseline has 3");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"schemaVersion\": 1 | \"schemaVersion\": 2 | schemaVersion: found 2, expected 1; a later version",
        "\"schemaVersion\": 1 | \"schemaVersion\": \"x\" | schemaVersion: found \"x\", expected 1",
        "\"schemaVersion\": 1 | \"schemaVersion\": 1.5 | schemaVersion: found 1.5, expected 1",
        "\"schemaVersion\": 1 | \"schemaVersion\": \"1\" | schemaVersion: found \"1\", expected 1",
        "\"schemaVersion\": 1, | '' | schemaVersion: found nothing, expected 1",
        "\"schemaVersion\": 1 | \"schemaVersion\": 9999999999 | expected 1; a later version",
        "orrery-baseline | orrery-sweep | no kind orrery-baseline",
        "0.1.0 | next | version: found next, expected one as 1.2.0",
        "\"seeds\": 1 | \"seeds\": 0 | seeds: found 0, expected",
        "\"seeds\": 1 | \"seeds\": 1.5 | seeds: found 1.5, expected",
        "\"seeds\": 1 | \"sedes\": 1 | sedes: found an unknown key, expected one of config, kind",
        "\"variants\" | \"variant\" | variant: found an unknown key",
        "\"digest\": \"d\" | \"digest\": 7 | variants.a.digest: found 7, expected a text",
        "\"preemptions\": 3 | \"preemptions\": \"3\" | variants.a.metrics.preemptions: found \"3\"",
        "\"preemptions\": 3 | \"preemptions\": null | variants.a.metrics.preemptions: found null",
        "\"preemptions\": 3 | \"preemptions\": NaN | found no JSON in line 20",
        "\"preemptions\": 3 | \"preemptions\": 1e999 | variants.a.metrics.preemptions: found",
        "\"preemptions\": 3 | \"hit_rate.tokens\": 3 | found no JSON in line 20 (Duplicate field",
        "\"seed\": \"1\" | \"seed\": 1 | config.seed: found 1, expected a text",
        "\"b\": { | <<<<<<< ours | found no JSON in line 23",
      })
  void whatWasBrokenByHandIsNamed(String part, String instead, String message) {
    String broken = WRITTEN.replaceFirst(Pattern.quote(part), instead);
    assertThat(broken).isNotEqualTo(WRITTEN);
    assertThatThrownBy(() -> BaselineJson.read(broken))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  /** Cut or scrambled anywhere it is read whole or refused with a reason, and nothing else. */
  @Test
  void noiseIsRefusedWithAReason() {
    Random random = new Random(3);
    for (int i = 0; i < 2_000; i++) {
      StringBuilder noisy = new StringBuilder(WRITTEN);
      int at = random.nextInt(noisy.length());
      if (random.nextBoolean()) {
        noisy.setLength(at);
      } else {
        noisy.setCharAt(at, "{}[]\",:0x\n".charAt(random.nextInt(10)));
      }
      try {
        BaselineJson.of(BaselineJson.read(noisy.toString()));
      } catch (IllegalArgumentException e) {
        assertThat(e).hasMessageContaining("found");
      }
    }
  }
}

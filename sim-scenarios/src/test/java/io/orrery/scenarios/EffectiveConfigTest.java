package io.orrery.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class EffectiveConfigTest {

  /** Values for random scenarios; every way to write a value at least once. */
  private static final String[][] CHOICES = {
    {"trace.format", "auto", "mooncake", "weka"},
    {"trace.blockSize", "auto", "16", "512"},
    {"trace.dispatch", "auto", "lanes", "closed-loop", "timestamps"},
    {"trace.timestamps.speedup", "1", "1.50", "1e3", ".5"},
    {
      "trace.closedLoop.arrivals",
      "recorded",
      "{process: poisson, rate: 2}",
      "{process: gamma, rate: 0.5 sessions/s, cv: 2.0}"
    },
    {"trace.lanes", "{count: auto}", "{count: 7, recycle: true, limit: 100}"},
    {"trace.files", "[a.jsonl]", "b c.jsonl", "['#d', \"\\u00e9\", 3]"},
    {"cluster.pools", "[{}]", "[{name: a, workers: 2}, {name: b, precision: {kv: fp8}}]"},
    {"cluster.pools[0].gpuMemoryUtilization", "0.9", "1"},
    {"engine.preset", "vllm-2026-07", "vllm-2026-05"},
    {"engine.kvBlocks", "auto", "100"},
    {"engine.chunkedPrefill", "true", "false"},
    {"cache.completionReuse", "verbatim", "none", "0.5", "1", "0"},
    {"stepTime.stepOverhead", "0 s", "150 us", "\"1.5 ms\""},
    {
      "routing",
      "{policy: random}",
      "{policy: kv-aware, temperature: 0.50, ttl: 5 min, names: [a, '1', no], on: true}"
    },
    {
      "admission",
      "{policy: max-concurrency}",
      "{policy: dynamo-python, pauseTarget: 0.50, resumeTimeout: 5 min}"
    },
    {"slo.ttft", "2 s", "2000 ms", "0.5 min"},
    {"slo.tokensPerSecondPerUser", "50", "50.0", "50 tokens/s"},
    {"seed", "0", "9223372036854775807"},
    {"limits.simulatedTime", "none", "2 h"},
  };

  @Test
  void whatIsWrittenOutReadsBackAsTheSame() {
    Random random = new Random(3);
    for (int i = 0; i < 500; i++) {
      EffectiveConfig config =
          ScenarioLoader.withoutFile(randomSettings(random)).variants().get(0).config();
      EffectiveConfig again = reload(config.toYaml());
      assertThat(again.toYaml()).isEqualTo(config.toYaml());
      assertThat(again.toJson()).isEqualTo(config.toJson());
      assertThat(again.digest()).isEqualTo(config.digest());
      assertThat(values(again)).isEqualTo(values(config));
      assertThat(reload(config.toYamlWithOrigins()).digest()).isEqualTo(config.digest());
    }
  }

  @Test
  void theWayAValueIsWrittenDoesNotMatter() {
    String one =
        """
        trace: {files: t.jsonl, timestamps: {speedup: 1.0}, closedLoop: {arrivals: recorded}}
        slo: {ttft: 2000 ms, tokensPerSecondPerUser: 5e1}
        cache: {completionReuse: 1}
        routing: {policy: kv-aware, b: 1.0, a: 2}
        """;
    String two =
        """
        routing: {a: 2, b: 1, policy: 'kv-aware'}
        cache: {completionReuse: verbatim}
        slo: {tokensPerSecondPerUser: 50 tokens/s, ttft: "2 s"}
        trace: {closedLoop: {arrivals: {process: recorded}}, timestamps: {speedup: 1}, files: [t.jsonl]}
        """;
    assertThat(reload(one).toJson()).isEqualTo(reload(two).toJson());
  }

  @Test
  void anyOtherValueIsAnotherDigest() {
    String base = reload("trace: {files: t.jsonl}").digest();
    assertThat(reload("trace: {files: t.jsonl}\nseed: 2").digest()).isNotEqualTo(base);
    assertThat(reload("trace: {files: u.jsonl}").digest()).isNotEqualTo(base);
    assertThat(reload("trace: {files: t.jsonl}\nrouting: {x: 1}").digest()).isNotEqualTo(base);
  }

  @Test
  void theFolderDoesNotMatter() {
    String yaml = "trace: {files: t.jsonl}";
    EffectiveConfig here =
        ScenarioLoader.parse(yaml, "x.yaml", Path.of("a"), CommandLineSettings.none())
            .variants()
            .get(0)
            .config();
    EffectiveConfig there =
        ScenarioLoader.parse(yaml, "y.yaml", Path.of("b"), CommandLineSettings.none())
            .variants()
            .get(0)
            .config();
    assertThat(here.digest()).isEqualTo(there.digest());
  }

  @Test
  void theCanonicalTextAsWritten() {
    EffectiveConfig config =
        reload("trace: {files: t.jsonl}\nrouting: {policy: kv-aware, temperature: 0.5}");
    assertThat(config.toYamlWithOrigins())
        .contains("    process: recorded  # default\n")
        .contains("  blockSize: 16  # preset vllm-2026-07\n")
        .contains("routing:\n  policy: kv-aware  # x.yaml:2\n  indexDelay: 0 s  # default\n")
        .endsWith(
            """
              busyPrefillSteps: none  # default
              queue:
                threshold: "off"  # default
                order: fcfs  # default
                priorities: head-start  # default
              temperature: 0.5  # x.yaml:2
            admission:
              policy: none  # default
            slo:
              ttft: 2 s  # default
              tokensPerSecondPerUser: 50  # default
            cost:
              price: rental  # default
              dollarsPerGpuHour: auto  # default
              wattsPerGpu: auto  # default
            seed: 1  # default
            limits:
              simulatedTime: none  # default
            """);
    assertThat(config.toJson())
        .startsWith(
            "{\"trace\":{\"files\":[\"t.jsonl\"],\"format\":\"auto\",\"blockSize\":\"auto\",\"sharedSystemPrefix\":true,")
        .contains(
            "\"cluster\":{\"pools\":[{\"name\":\"main\",\"role\":\"aggregated\",\"workers\":1,")
        .endsWith("\"seed\":1,\"limits\":{\"simulatedTime\":\"none\"}}");
  }

  private static CommandLineSettings randomSettings(Random random) {
    CommandLineSettings settings = CommandLineSettings.none().with("trace.files=t.jsonl");
    for (String[] choice : CHOICES) {
      if (random.nextBoolean()) {
        settings = settings.with(choice[0] + "=" + choice[1 + random.nextInt(choice.length - 1)]);
      }
    }
    return settings;
  }

  private static List<String> values(EffectiveConfig config) {
    List<String> values = new ArrayList<>();
    config.settings().forEach(setting -> values.add(setting.path().text() + "=" + setting.value()));
    return values;
  }

  private static EffectiveConfig reload(String yaml) {
    return ScenarioLoader.parse(yaml, "x.yaml", Path.of(""), CommandLineSettings.none())
        .variants()
        .get(0)
        .config();
  }
}

package io.orrery.reports.sweep;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.orrery.engine.record.RunResult;
import io.orrery.reports.TraceDescription;
import io.orrery.reports.summary.Metrics;
import io.orrery.reports.summary.RunFacts;
import io.orrery.reports.summary.Summary;
import io.orrery.scenarios.experiment.ScenarioRun;
import io.orrery.scenarios.spec.ScenarioSpec;
import io.orrery.scenarios.spec.SloSpec;
import io.orrery.scenarios.text.CanonicalText;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What is kept of a finished point: a line of JSON, the same bytes wherever and whenever it is
 * simulated.
 *
 * @param key tells it from every other run: of version, configuration, trace, profile and measured
 *     tables
 * @param digest of the configuration
 * @param trace digest of the trace
 * @param gpus GPUs of all pools
 * @param sloTtftMillis promised time to first token
 * @param sloTokensPerSecond promised output tokens per second of a request
 * @param assumptions what was decided or assumed on the user's behalf, a sentence each
 * @param summary its numbers
 */
public record PointResult(
    String key,
    String digest,
    String trace,
    long gpus,
    double sloTtftMillis,
    double sloTokensPerSecond,
    List<String> assumptions,
    Summary summary) {
  private static final ObjectMapper MAPPER =
      new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

  /** A result. */
  public PointResult {
    assumptions = List.copyOf(assumptions);
  }

  /**
   * What a run will be known by.
   *
   * @param version of the program
   */
  public static String keyOf(ScenarioRun run, String version) {
    return String.join(
        "-",
        version,
        run.variant().config().digest(),
        TraceDescription.of(run.trace()).digest(),
        String.join("-", run.sources().digests()));
  }

  /** What is kept of a run that has been simulated. */
  public static PointResult of(ScenarioRun run, String version, RunResult result) {
    ScenarioSpec spec = run.variant().spec();
    SloSpec slo = spec.slo();
    return new PointResult(
        keyOf(run, version),
        run.variant().config().digest(),
        TraceDescription.of(run.trace()).digest(),
        spec.gpus(),
        slo.ttftNanos() / 1e6,
        slo.tokensPerSecondPerUser(),
        run.assumptions(),
        Metrics.summarise(RunFacts.of(run, result, 0)));
  }

  /** The result as one line, without its end. */
  public String toJson() {
    Map<String, Object> root = new LinkedHashMap<>();
    root.put("key", key);
    root.put("digest", digest);
    root.put("trace", trace);
    root.put("gpus", gpus);
    root.put("slo_ttft_ms", new BigDecimal(sloTtftMillis));
    root.put("slo_tokens_per_s", new BigDecimal(sloTokensPerSecond));
    root.put("assumptions", assumptions);
    root.put("summary", summary.values());
    return CanonicalText.json(root);
  }

  /**
   * Reads a line.
   *
   * @throws IllegalArgumentException if it is none of a result's
   */
  public static PointResult read(String line) {
    try {
      JsonNode root = MAPPER.readTree(line);
      if (root == null || !root.path("key").isTextual() || !root.path("summary").isObject()) {
        throw new IllegalArgumentException("found no finished point");
      }
      List<String> assumptions = new ArrayList<>();
      root.path("assumptions").forEach(text -> assumptions.add(text.asText()));
      Map<String, Number> values = new LinkedHashMap<>();
      root.path("summary")
          .properties()
          .forEach(
              entry -> {
                JsonNode value = entry.getValue();
                values.put(
                    entry.getKey(),
                    value.isIntegralNumber()
                        ? (Number) value.longValue()
                        : (Number) value.decimalValue());
              });
      return new PointResult(
          root.path("key").asText(),
          root.path("digest").asText(),
          root.path("trace").asText(),
          root.path("gpus").asLong(),
          root.path("slo_ttft_ms").asDouble(),
          root.path("slo_tokens_per_s").asDouble(),
          assumptions,
          Summary.of(values));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("found no finished point", e);
    }
  }
}

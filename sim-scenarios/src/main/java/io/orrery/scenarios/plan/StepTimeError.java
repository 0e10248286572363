package io.orrery.scenarios.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.orrery.scenarios.experiment.ScenarioRun;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Optional;

/**
 * How far off step times are, as measured: of the shipped laws against published measurements of
 * models that their host constants had not seen. A profile fitted to one's own cluster is closer
 * than that, but does not keep by how much. Errors are taken for log-normal without bias: nine of
 * ten lie within the p90, so that its logarithm is 1.645 standard deviations.
 *
 * @param sigma standard deviation of the logarithm of true over told step time
 * @param source what was measured
 */
public record StepTimeError(double sigma, String source) {
  private static final double P90 = 1.6448536269514722;

  /** The error of a run's step times; empty where nobody has measured any. */
  public static Optional<StepTimeError> of(ScenarioRun run) {
    String model = run.variant().spec().stepTime().model();
    if (!model.equals("law")) {
      return Optional.empty();
    }
    JsonNode facts = facts();
    // SGLang's kernels are in no table; vLLM's stand in, and so does their error.
    JsonNode error = facts.path("tpotP90Error").path(run.kernels());
    JsonNode known = error.isMissingNode() ? facts.path("tpotP90Error").path("vllm") : error;
    return Optional.of(of(known.asDouble(), facts.path("source").asText()));
  }

  private static StepTimeError of(double p90, String source) {
    return new StepTimeError(StrictMath.log1p(p90) / P90, source);
  }

  private static JsonNode facts() {
    try (InputStream in = StepTimeError.class.getResourceAsStream("step-time-errors.json")) {
      return new ObjectMapper().readTree(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

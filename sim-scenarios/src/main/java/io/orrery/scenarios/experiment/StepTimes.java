package io.orrery.scenarios.experiment;

import io.orrery.models.Catalog;
import io.orrery.models.Deployment;
import io.orrery.models.StepTimeModel;
import io.orrery.models.StepTimeModels;
import io.orrery.models.StepTimeSetup;
import io.orrery.scenarios.EffectiveConfig;
import io.orrery.scenarios.Variant;
import io.orrery.scenarios.spec.StepTimeSpec;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Compiles step-time models, each once. */
final class StepTimes {
  private final Catalog catalog;
  private final Map<String, StepTimeModel> compiled = new LinkedHashMap<>();

  StepTimes(Catalog catalog) {
    this.catalog = catalog;
  }

  /** The model of a variant's step times on one of its workers. */
  StepTimeModel of(Variant variant, Deployment deployment) {
    StepTimeSpec spec = variant.spec().stepTime();
    int batchedTokens = variant.spec().engine().maxBatchedTokens();
    Map<String, String> parameters =
        parameters(spec, variant.spec().engine().asyncScheduling(), variant.config());
    return compiled.computeIfAbsent(
        spec.model() + " " + batchedTokens + " " + parameters + " " + deployment,
        key ->
            StepTimeModels.compile(
                spec.model(), new StepTimeSetup(deployment, catalog, batchedTokens, parameters)));
  }

  private static Map<String, String> parameters(
      StepTimeSpec spec, boolean asynchronous, EffectiveConfig config) {
    List<String> taken = StepTimeModels.parameters(spec.model());
    Map<String, String> parameters = new LinkedHashMap<>();
    if (taken.contains("hostOverlap")) {
      parameters.put("hostOverlap", Boolean.toString(asynchronous));
    }
    if (taken.contains("kernels")) {
      parameters.put("kernels", spec.kernels());
      parameters.put("host", spec.kernels());
      parameters.put("experts", spec.experts());
    }
    if (spec.speedup() != 1) {
      require(taken.contains("speedup"), "speedup", "1", spec, config);
      parameters.put("speedup", Double.toString(spec.speedup()));
    }
    if (spec.decodeSpeedup() != 1) {
      require(taken.contains("decodeSpeedup"), "decodeSpeedup", "1", spec, config);
      parameters.put("decodeSpeedup", Double.toString(spec.decodeSpeedup()));
    }
    if (spec.stepOverheadNanos() != 0) {
      require(taken.contains("hostMicrosPerStep"), "stepOverhead", "0 s", spec, config);
      parameters.put(
          "hostMicrosPerStep", BigDecimal.valueOf(spec.stepOverheadNanos(), 3).toPlainString());
    }
    return parameters;
  }

  private static void require(
      boolean taken, String key, String neutral, StepTimeSpec spec, EffectiveConfig config) {
    if (!taken) {
      throw config.refusal(
          "stepTime." + key,
          neutral + ", since step times of model " + spec.model() + " have none");
    }
  }
}

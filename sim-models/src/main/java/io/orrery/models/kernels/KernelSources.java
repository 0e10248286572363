package io.orrery.models.kernels;

import io.orrery.models.Deployment;
import io.orrery.models.Gpu;
import io.orrery.models.HostCosts;
import io.orrery.models.Names;
import io.orrery.models.StepTimeModel;
import io.orrery.models.StepTimeModels;
import io.orrery.models.StepTimeProfile;
import io.orrery.models.StepTimeSetup;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Compiles the kinds {@code law} and {@code table}. Parameters: {@code kernels} (vllm or trtllm),
 * {@code experts} (skewed or even), {@code host} (an entry of the host costs; by default that of
 * the kernels' engine; a {@link StepTimeProfile} replaces it), and for tables {@code perfData},
 * their folder. Sources are read once per process.
 */
public final class KernelSources {
  private static final Map<String, FittedKernels> FITTED = new ConcurrentHashMap<>();
  private static final Map<String, MeasuredKernels> MEASURED = new ConcurrentHashMap<>();

  private KernelSources() {}

  /**
   * The kind {@code law}: what ships with this module.
   *
   * @throws IllegalArgumentException if a parameter is wrong or a kernel is unknown
   */
  public static StepTimeModel law(StepTimeSetup setup) {
    Gpu gpu = setup.deployment().gpu();
    KernelFamily family = KernelFamily.of(setup.text("kernels", "vllm"));
    StepTimeProfile profile = setup.profile();
    if (profile != null && profile.kernels() != null) {
      return compile("law", setup, family, profile.kernels());
    }
    KernelTimes kernels =
        FittedKernels.exist(gpu, family)
            ? laws(gpu, family)
            : new AnalyticKernels(gpu, setup.catalog().kernelEfficiency(gpu));
    return compile("law", setup, family, kernels);
  }

  private static FittedKernels laws(Gpu gpu, KernelFamily family) {
    return FITTED.computeIfAbsent(gpu.name() + " " + family, name -> FittedKernels.of(gpu, family));
  }

  /**
   * The kind {@code table}: measured tables of the user.
   *
   * @throws IllegalArgumentException if a parameter is wrong, or a table or kernel is missing
   */
  public static StepTimeModel table(StepTimeSetup setup) {
    Gpu gpu = setup.deployment().gpu();
    KernelFamily family = KernelFamily.of(setup.text("kernels", "vllm"));
    String folder = setup.text("perfData", "");
    if (folder.isEmpty()) {
      throw new IllegalArgumentException(
          "perfData: missing, expected the folder of the measured tables");
    }
    MeasuredKernels kernels =
        MEASURED.computeIfAbsent(
            folder + " " + gpu.name() + " " + family,
            key ->
                MeasuredKernels.read(
                    PerformanceData.open(Path.of(folder), gpu),
                    gpu,
                    family,
                    FittedKernels.exist(gpu, family) ? laws(gpu, family) : null));
    return compile("table", setup, family, kernels);
  }

  private static StepTimeModel compile(
      String kind, StepTimeSetup setup, KernelFamily family, KernelTimes kernels) {
    Deployment worker = setup.deployment();
    StepTimeModels.requireTimed(kind, worker);
    String load = setup.text("experts", "skewed");
    if (!load.equals("skewed") && !load.equals("even")) {
      throw new IllegalArgumentException(
          Names.unknown("load of experts", load, List.of("skewed", "even")));
    }
    double groups = setup.number("expertParallel", 1);
    if (groups != Math.rint(groups) || !(groups >= 1 && groups <= 1024)) {
      throw new IllegalArgumentException(
          "expertParallel: found " + groups + ", expected a whole number of at least 1");
    }
    StepTimeProfile profile = setup.profile();
    HostCosts preset =
        profile != null
            ? profile.host()
            : setup.catalog().hostCosts(setup.text("host", family.engine()));
    HostCosts host = preset.withAsynchronous(setup.flag("hostOverlap", preset.asynchronous()));
    PassOperators operators = new PassOperators(worker, kernels, load.equals("skewed"));
    return new OperatorStepTime(
        kind + " " + family, worker, operators, kernels, host, setup.maxBatchedTokens());
  }
}

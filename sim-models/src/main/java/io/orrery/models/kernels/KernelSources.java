package io.orrery.models.kernels;

import io.orrery.models.Deployment;
import io.orrery.models.Gpu;
import io.orrery.models.HostCosts;
import io.orrery.models.Names;
import io.orrery.models.StepTimeModel;
import io.orrery.models.StepTimeProfile;
import io.orrery.models.StepTimeSetup;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Compiles the kinds {@code law} and {@code table}. Parameters: {@code kernels} (vllm, trtllm or
 * sglang), {@code experts} (skewed or even), {@code expertKernels} (another engine's, where an
 * engine runs the experts of another), {@code linkBytesPerSecond} and {@code linkLatencyMicros}
 * (links other than those that were measured), {@code host} (an entry of the host costs; by default
 * that of the kernels' engine; a {@link StepTimeProfile} replaces it), and for tables {@code
 * perfData}, their folder. Sources are read once per process.
 */
public final class KernelSources {
  private static final String SGLANG = "sglang";
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
    KernelFamily family = family(setup);
    StepTimeProfile profile = setup.profile();
    if (profile != null && profile.kernels() != null) {
      return compile("law", setup, family, profile.kernels(), List.of());
    }
    if (FittedKernels.exist(gpu, family)) {
      return compile("law", setup, family, laws(gpu, family), List.of());
    }
    for (KernelFamily other : KernelFamily.values()) {
      if (FittedKernels.exist(gpu, other)) {
        String note =
            "no kernels of " + family + " on " + gpu + ": those of " + other + " stand in";
        return compile("law", setup, other, laws(gpu, other), List.of(note));
      }
    }
    KernelTimes estimates = new AnalyticKernels(gpu, setup.catalog().kernelEfficiency(gpu));
    return compile("law", setup, family, estimates, List.of());
  }

  /** Whose kernels serve an engine: its own, or for SGLang, which has no tables, those of vLLM. */
  private static KernelFamily family(StepTimeSetup setup) {
    return family(engine(setup));
  }

  /**
   * Whose tables and laws serve an engine: vllm, trtllm, or sglang, which takes vLLM's.
   *
   * @throws IllegalArgumentException if there is no such engine
   */
  public static KernelFamily family(String engine) {
    return engine.equals(SGLANG) ? KernelFamily.VLLM : KernelFamily.of(engine);
  }

  private static String engine(StepTimeSetup setup) {
    return setup.text("kernels", KernelFamily.VLLM.engine());
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
    KernelFamily family = family(setup);
    String folder = setup.text("perfData", "");
    if (folder.isEmpty()) {
      throw new IllegalArgumentException(
          "perfData: missing, expected the folder of the measured tables");
    }
    return compile("table", setup, family, measured(folder, gpu, family), List.of());
  }

  private static KernelTimes measured(String folder, Gpu gpu, KernelFamily family) {
    return MEASURED.computeIfAbsent(
        folder + " " + gpu.name() + " " + family,
        key ->
            MeasuredKernels.read(
                PerformanceData.open(Path.of(folder), gpu),
                gpu,
                family,
                FittedKernels.exist(gpu, family) ? laws(gpu, family) : null));
  }

  /** The kernels with the experts and on the links that the setup says. */
  private static KernelTimes varied(StepTimeSetup setup, KernelFamily family, KernelTimes kernels) {
    KernelFamily experts = KernelFamily.of(setup.text("expertKernels", family.engine()));
    Gpu gpu = setup.deployment().gpu();
    KernelTimes varied = kernels;
    if (experts != family) {
      String folder = setup.text("perfData", "");
      varied =
          new BorrowedExperts(
              kernels, folder.isEmpty() ? laws(gpu, experts) : measured(folder, gpu, experts));
    }
    double link = setup.number("linkBytesPerSecond", 0);
    return link > 0 ? new OtherLink(varied, link, setup.number("linkLatencyMicros", 0)) : varied;
  }

  private static StepTimeModel compile(
      String kind,
      StepTimeSetup setup,
      KernelFamily family,
      KernelTimes source,
      List<String> standIns) {
    Deployment worker = setup.deployment();
    KernelTimes kernels = varied(setup, family, source);
    String load = setup.text("experts", "skewed");
    if (!load.equals("skewed") && !load.equals("even")) {
      throw new IllegalArgumentException(
          Names.unknown("load of experts", load, List.of("skewed", "even")));
    }
    StepTimeProfile profile = setup.profile();
    HostCosts preset =
        profile != null
            ? profile.host()
            : setup.catalog().hostCosts(setup.text("host", engine(setup)));
    HostCosts host = preset.withAsynchronous(setup.flag("hostOverlap", preset.asynchronous()));
    List<String> notes = new ArrayList<>(standIns);
    if (engine(setup).equals(SGLANG)) {
      notes.add(
          "SGLang's kernels are in no table here: those of "
              + family
              + " stand in, which share most of their libraries");
    }
    boolean skewed = load.equals("skewed");
    PassOperators operators = new PassOperators(worker, kernels, skewed, notes);
    String name = kind + " " + family;
    OperatorStepTime draftHead =
        worker.draftLayers() == 0
            ? null
            : OperatorStepTime.ofDraftHead(name, worker, kernels, skewed, host);
    return new OperatorStepTime(
        name, worker, operators, kernels, host, setup.maxBatchedTokens(), draftHead);
  }
}

package io.orrery.scenarios.profile;

import io.orrery.models.Gpu;
import io.orrery.models.HostCosts;
import io.orrery.models.StepTimeProfile;
import io.orrery.models.kernels.FittedKernels;
import io.orrery.models.kernels.KernelSources;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What was fitted to a cluster: an engine's host constants, and kernel laws if tables of them were
 * given.
 *
 * @param engine whose kernels the constants stand on: vllm, trtllm or sglang
 * @param engineVersion version that was measured, empty if unknown
 * @param gpus the GPUs that were measured
 * @param models the models that were measured
 * @param sources what was fitted to
 * @param host the constants, by the names of {@link HostCosts#NAMES}
 * @param kernels fitted kernel laws, null for those that ship
 */
public record Profile(
    String engine,
    String engineVersion,
    List<String> gpus,
    List<String> models,
    List<Source> sources,
    Map<String, Coefficient> host,
    @Nullable Kernels kernels) {
  /** Version of the file's structure. */
  public static final int VERSION = 1;

  /**
   * Something that was fitted to.
   *
   * @param name the file's name, without its folder
   * @param sha256 its digest
   * @param rows its measurements
   */
  public record Source(String name, String sha256, long rows) {}

  /**
   * Kernel laws.
   *
   * @param gpu the GPU that they hold for
   * @param fittedOn the day, as 2026-11-29
   * @param from what they were fitted to
   * @param lines the laws, their held-out errors and knots, in the format of the shipped files
   */
  public record Kernels(String gpu, String fittedOn, String from, List<String> lines) {
    public Kernels {
      lines = List.copyOf(lines);
    }
  }

  public Profile {
    gpus = List.copyOf(gpus);
    models = List.copyOf(models);
    sources = List.copyOf(sources);
    host = Collections.unmodifiableMap(new LinkedHashMap<>(host));
  }

  /** The constants as the models take them; whether times overlap is the engine's setting. */
  public HostCosts hostCosts() {
    HostCosts costs = HostCosts.NONE;
    for (String name : HostCosts.NAMES) {
      Coefficient coefficient = host.get(name);
      if (coefficient == null) {
        throw new IllegalStateException("a profile without " + name);
      }
      costs = costs.with(name, coefficient.value());
    }
    return costs;
  }

  /**
   * The profile as step-time models take it.
   *
   * @throws IllegalArgumentException if the kernel laws cannot be read
   */
  public StepTimeProfile stepTime(Gpu gpu) {
    Kernels laws = kernels;
    return new StepTimeProfile(
        hostCosts(),
        laws == null
            ? null
            : FittedKernels.parse(
                KernelSources.family(engine), gpu, "kernels", String.join("\n", laws.lines())));
  }
}

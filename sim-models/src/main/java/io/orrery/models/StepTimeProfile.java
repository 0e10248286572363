package io.orrery.models;

import io.orrery.models.kernels.FittedKernels;
import org.jspecify.annotations.Nullable;

/**
 * What was fitted to somebody's own cluster, in place of what ships: see {@code orrery calibrate}.
 *
 * @param host what the engine adds to its kernels
 * @param kernels kernel times, null for those that ship
 */
public record StepTimeProfile(HostCosts host, @Nullable FittedKernels kernels) {
  /** These host costs on the kernels that ship. */
  public static StepTimeProfile of(HostCosts host) {
    return new StepTimeProfile(host, null);
  }
}

package io.orrery.engine.routing;

import java.util.Arrays;

/**
 * The router's index: which leading blocks of a prompt each worker holds, as far as the events that
 * have reached the router tell. It lags behind the truth by the step in progress and the configured
 * delay.
 */
public interface PrefixBeliefs {
  /**
   * Matches a prompt against all workers.
   *
   * @param depths receives for every worker id the leading blocks of the prompt that it is believed
   *     to hold
   */
  void depths(RoutedRequest request, int[] depths);

  /**
   * Whether there is anything below the workers' devices; if not, all that follows finds nothing
   * and need not be asked.
   */
  default boolean hasTiers() {
    return false;
  }

  /**
   * Continues the match in the workers' host memory: the blocks that stand there right behind the
   * device's prefix.
   *
   * @param device what {@link #depths} gave
   * @param further receives the further blocks for every worker id
   */
  default void hostDepths(RoutedRequest request, int[] device, int[] further) {
    Arrays.fill(further, 0);
  }

  /**
   * Continues the match on the workers' disks, behind device and host.
   *
   * @param before device and host blocks together
   * @param further receives the further blocks for every worker id
   */
  default void diskDepths(RoutedRequest request, int[] before, int[] further) {
    Arrays.fill(further, 0);
  }

  /** Prompt blocks from position {@code from} on that the shared pool holds, gaps or not. */
  default int sharedFrom(RoutedRequest request, int from) {
    return 0;
  }
}

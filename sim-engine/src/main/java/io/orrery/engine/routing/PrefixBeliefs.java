package io.orrery.engine.routing;

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
}

package io.orrery.engine.record;

import io.orrery.engine.RequestState;

/**
 * Hears what becomes of every request, in the engine's total order of events. All methods do
 * nothing unless overridden, and a run without extra recorders pays nothing for them.
 *
 * <p>Rows are those of {@link RunColumns}, which is filled before a recorder hears. Times are
 * nanoseconds of simulated time.
 */
public interface Recorder {
  /** A recorder that ignores everything. */
  Recorder NONE = new Recorder() {};

  /** The client sent the request. */
  default void arrived(int row, long now) {}

  /** Admission holds it back. */
  default void held(int row, String reason, long now) {}

  /** Admission lets it go on, at once or after a wait. Not called where there is no admission. */
  default void admitted(int row, String reason, long now) {}

  /** Whether {@link #decided} is to be called, which costs time. */
  default boolean hearsDecisions() {
    return false;
  }

  /** It waits at the router: {@code reason} is {@code work} or {@code queue}. */
  default void waits(int row, String reason, long now) {}

  /** The router's policy has chosen; {@link #placed} follows unless the worker refuses it. */
  default void decided(Decision decision) {}

  /** The router placed it on {@code worker}. */
  default void placed(int row, int worker, long now) {}

  /** Its worker's scheduler sees it. */
  default void queued(int row, long now) {}

  /** It came into a step for the first time, reusing {@code hitTokens} tokens of KV. */
  default void scheduled(int row, int hitTokens, long now) {}

  /** It lost its blocks. */
  default void preempted(int row, long now) {}

  /** It came into a step again after a preemption; {@code redoneTokens} are computed once more. */
  default void resumed(int row, int redoneTokens, long now) {}

  /** A step gave its first output token. */
  default void firstToken(int row, long now) {}

  /** It ended: finished, rejected, cancelled or failed. */
  default void ended(int row, RequestState how, long now) {}

  /** Whether {@link #step} and {@link #evicted} are to be called, which costs time. */
  default boolean hearsSteps() {
    return false;
  }

  /**
   * A forward pass has ended. In order for each worker; since workers run ahead of the clock, and
   * what they have planned is told when they are looked at, not in the order of time between them.
   *
   * @param decodes requests that decoded in it
   * @param prefills requests of which a part of the prompt was computed
   * @param prefillTokens tokens of these parts
   */
  default void step(
      int worker, long began, long ended, int decodes, int prefills, int prefillTokens) {}

  /** A worker evicted the last copy of a block that could be found again. */
  default void evicted(int worker, long now) {}

  /** A recorder that passes everything on to two. */
  static Recorder both(Recorder first, Recorder second) {
    return new RecorderPair(first, second);
  }
}

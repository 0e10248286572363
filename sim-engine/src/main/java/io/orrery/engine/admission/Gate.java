package io.orrery.engine.admission;

/**
 * What an admission policy can do, and what it tells for the record. A session may be paused while
 * none of its requests waits: then its next one will.
 */
public interface Gate {
  /**
   * Ends the wait of a held request; those released in one call are placed in that order.
   *
   * @param verdict admits or refuses it; the reason of an admission is recorded
   */
  void release(int request, Verdict verdict);

  /** {@code session} is paused from now on. */
  void paused(int session);

  /**
   * {@code session} is no longer paused.
   *
   * @param forced whether it only goes on because it has waited for too long
   */
  void resumed(int session, boolean forced);

  /** {@code session} will be paused when the request that it has running ends. */
  void marked(int session);
}

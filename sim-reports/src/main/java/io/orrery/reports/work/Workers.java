package io.orrery.reports.work;

import java.io.Serializable;
import java.util.function.Consumer;

/** Threads or processes that do work. May be used by several threads. */
public interface Workers {
  /** This process as a place of work, with the same traces in it. */
  WorkPlace here();

  /** How many pieces are done at once. */
  int width();

  /**
   * Does pieces of work.
   *
   * @param count how many
   * @param taker takes what comes of each piece, once, in any order, never two at once; what it
   *     throws ends the work
   * @throws WorkFailedException if a piece cannot be done, however often it is tried
   */
  <T extends Serializable> void run(int count, Work<T> work, Consumer<T> taker);
}

package io.orrery.reports.work;

import java.io.Serializable;

/**
 * Independent pieces of work. A piece may be done more than once, and in several places at once;
 * what comes of it is the same each time.
 *
 * @param <T> what comes of a piece
 */
public interface Work<T extends Serializable> extends Serializable {
  /**
   * Does a piece.
   *
   * @param piece from 0
   * @param place where it is done
   */
  T at(int piece, WorkPlace place);
}

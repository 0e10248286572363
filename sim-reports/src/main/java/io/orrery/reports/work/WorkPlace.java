package io.orrery.reports.work;

import io.orrery.scenarios.experiment.TraceOpener;
import java.util.function.Supplier;

/** A process that does work, and what the pieces that it does have in common. */
public interface WorkPlace {
  /** Reads traces; one that was read already is shared. */
  TraceOpener traces();

  /**
   * What the first piece of some work made; the last few are kept.
   *
   * @param key equal for equal things
   * @param make makes it, at most once at a time
   */
  <V> V shared(Object key, Class<V> type, Supplier<V> make);
}

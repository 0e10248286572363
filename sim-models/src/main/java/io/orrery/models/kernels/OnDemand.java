package io.orrery.models.kernels;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Tables that are built from their rows when they are first asked for: a worker needs a few of the
 * many that a file holds. Rows are added first; after that, threads may share it.
 *
 * @param <K> what a table is about
 * @param <T> the table
 */
final class OnDemand<K, T> {
  private final BiFunction<K, List<double[]>, T> builder;
  private final Map<K, List<double[]>> rows = new LinkedHashMap<>();
  private final Map<K, T> built = new ConcurrentHashMap<>();

  /**
   * @param builder makes a table of its rows, always the same one
   */
  OnDemand(BiFunction<K, List<double[]>, T> builder) {
    this.builder = builder;
  }

  void add(K key, List<double[]> more) {
    rows.computeIfAbsent(key, k -> new ArrayList<>()).addAll(more);
  }

  /** What there are tables of, in the order of their first rows. */
  Set<K> keys() {
    return Collections.unmodifiableSet(rows.keySet());
  }

  boolean contains(K key) {
    return rows.containsKey(key);
  }

  /** The table, null if there is none. */
  @Nullable T get(K key) {
    T table = built.get(key);
    if (table == null) {
      List<double[]> known = rows.get(key);
      if (known == null) {
        return null;
      }
      table = builder.apply(key, known);
      built.put(key, table);
    }
    return table;
  }
}

package io.orrery.engine.record;

import io.orrery.traces.StableOrder;
import io.orrery.traces.columns.IntColumn;
import io.orrery.traces.columns.LongColumn;
import org.jspecify.annotations.Nullable;

/**
 * Weighted samples as they are: entries of a value and how often it was seen. In columns, which
 * leave the heap where they are big; there are no weights where no value was seen twice.
 */
final class ExactSamples {
  private LongColumn values = new LongColumn();
  private @Nullable LongColumn weights;
  private boolean sorted = true;

  private @Nullable Ranks ranks;

  /** Samples of sorted, distinct values, as many of each as its weight says. */
  static ExactSamples of(long[] state, int from, int entries) {
    ExactSamples samples = new ExactSamples();
    samples.values.addAll(state, from, from + entries);
    samples.weights().clear();
    samples.weights().addAll(state, from + entries, from + 2 * entries);
    return samples;
  }

  /** Entries; as many as distinct values after {@link #sort}. */
  int entries() {
    return values.size();
  }

  long value(int entry) {
    return values.get(entry);
  }

  long weight(int entry) {
    return weights == null ? 1 : weights.get(entry);
  }

  void add(long value, long weight) {
    ranks = null;
    int last = values.size() - 1;
    if (last >= 0 && values.get(last) == value) {
      weights().increase(last, weight);
      return;
    }
    sorted &= last < 0 || values.get(last) < value;
    LongColumn known = weights;
    if (known == null && weight != 1) {
      known = weights();
    }
    values.add(value);
    if (known != null) {
      known.add(weight);
    }
  }

  private LongColumn weights() {
    LongColumn known = weights;
    if (known == null) {
      known = LongColumn.filled(values.size(), 1);
      weights = known;
    }
    return known;
  }

  /** Puts the entries in order, one for each value. */
  void sort() {
    if (sorted) {
      return;
    }
    LongColumn unsorted = values;
    LongColumn known = weights;
    if (known == null) {
      values = StableOrder.sorted(unsorted);
    } else {
      IntColumn order = StableOrder.of(unsorted);
      values = inOrder(unsorted, order);
      weights = inOrder(known, order);
      known.release();
      order.release();
    }
    unsorted.release();
    joinEqual();
    sorted = true;
  }

  private static LongColumn inOrder(LongColumn numbers, IntColumn order) {
    LongColumn result = new LongColumn();
    for (int i = 0; i < order.size(); i++) {
      result.add(numbers.get(order.get(i)));
    }
    return result;
  }

  private void joinEqual() {
    int kept = 0;
    for (int i = 0; i < values.size(); i++) {
      long value = values.get(i);
      if (kept > 0 && values.get(kept - 1) == value) {
        weights().increase(kept - 1, weight(i));
      } else {
        values.set(kept, value);
        if (weights != null) {
          weights.set(kept, weights.get(i));
        }
        kept++;
      }
    }
    values.truncate(kept);
    if (weights != null) {
      weights.truncate(kept);
    }
  }

  /** The sample of a rank from 1 on, of as many as the weights add up to. */
  long ranked(long rank) {
    Ranks known = ranks;
    if (known == null) {
      known = new Ranks(this);
      ranks = known;
    }
    return known.sample(rank);
  }

  /** Gives up the samples, which must not be asked for any more. */
  void release() {
    values.release();
    if (weights != null) {
      weights.release();
    }
  }
}

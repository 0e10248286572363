package io.orrery.reports.export;

import io.orrery.traces.StableOrder;
import io.orrery.traces.columns.LongColumn;
import java.util.function.LongToDoubleFunction;

/**
 * Statistics of a column of numbers, as NumPy computes them, in a heap that does not grow with the
 * column.
 */
final class ColumnStatistics {
  private final LongColumn values;
  private final LongToDoubleFunction number;
  private final LongColumn sorted;
  private final double mean;

  /**
   * @param values at least one
   * @param number that a value stands for; the greater the value, the greater it is
   */
  ColumnStatistics(LongColumn values, LongToDoubleFunction number) {
    this.values = values;
    this.number = number;
    sorted = StableOrder.sorted(values);
    double rough = sum() / values.size();
    double correction = 0;
    for (int i = 0; i < values.size(); i++) {
      correction += at(i) - rough;
    }
    mean = rough + correction / values.size();
  }

  private double at(int i) {
    return number.applyAsDouble(values.get(i));
  }

  private double ranked(int i) {
    return number.applyAsDouble(sorted.get(i));
  }

  double mean() {
    return mean;
  }

  double min() {
    return ranked(0);
  }

  double max() {
    return ranked(sorted.size() - 1);
  }

  double sum() {
    double sum = 0;
    for (int i = 0; i < values.size(); i++) {
      sum += at(i);
    }
    return sum;
  }

  /** Linear between the two nearest ranks, of which the first is 0 % and the last 100 %. */
  double percentile(double percent) {
    double position = 1 + percent / 100 * (sorted.size() - 1);
    int below = (int) Math.floor(position);
    if (below >= sorted.size()) {
      return max();
    }
    double lower = ranked(below - 1);
    return lower + (position - below) * (ranked(below) - lower);
  }

  /** Of a sample: the squares are divided by one less than their number. */
  double standardDeviation() {
    double squares = 0;
    double rest = 0;
    for (int i = 0; i < values.size(); i++) {
      double deviation = at(i) - mean;
      squares += deviation * deviation;
      rest += deviation;
    }
    int count = values.size();
    return Math.sqrt((squares - rest * rest / count) / (count - 1));
  }

  void release() {
    sorted.release();
  }
}

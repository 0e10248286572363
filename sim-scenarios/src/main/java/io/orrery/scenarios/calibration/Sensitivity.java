package io.orrery.scenarios.calibration;

import io.orrery.models.HostCosts;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Which constants some measurements can tell at all. A constant counts if a change of it that
 * matters moves the told times by more than the scatter of measurements hides, after everything
 * that the constants before it could do alike is taken off (Gram–Schmidt on the logarithms).
 */
final class Sensitivity {
  /** Scatter of a single measured time around a good model, as a share. */
  private static final double SCATTER = 0.05;

  /** A direction of its own is at least this part of what a constant does. */
  private static final double OWN_PART = 0.05;

  private static final int POINTS_PER_CONSTANT = 3;

  private final List<HostConstant> told = new ArrayList<>();
  private final Map<String, String> reasons = new LinkedHashMap<>();

  private Sensitivity() {}

  /**
   * @param base told times at some constants
   * @param moved told times with each constant of {@link HostConstant#ALL} moved by its scale
   */
  static Sensitivity of(double[] base, double[][] moved) {
    Sensitivity sensitivity = new Sensitivity();
    List<double[]> directions = new ArrayList<>();
    for (int c = 0; c < moved.length; c++) {
      double[] column = new double[base.length];
      for (int i = 0; i < base.length; i++) {
        column[i] = StrictMath.log(moved[c][i] / base[i]);
      }
      double whole = norm(column);
      for (double[] direction : directions) {
        double part = dot(column, direction);
        for (int i = 0; i < column.length; i++) {
          column[i] -= part * direction[i];
        }
      }
      double own = norm(column);
      sensitivity.judge(HostConstant.ALL[c], whole, own, base.length);
      if (sensitivity.told.contains(HostConstant.ALL[c])) {
        for (int i = 0; i < column.length; i++) {
          column[i] /= own;
        }
        directions.add(column);
      }
    }
    return sensitivity;
  }

  private void judge(HostConstant constant, double whole, double own, int points) {
    String why = "";
    if (whole <= SCATTER) {
      why = "the measurements hardly depend on it";
    } else if (own <= SCATTER || own <= OWN_PART * whole) {
      why =
          "not identifiable: what the measurements vary in moves them as "
              + String.join(", ", told.stream().map(HostConstant::name).toList())
              + " would";
    } else if (points < POINTS_PER_CONSTANT * (told.size() + 1)) {
      why = "too few measurements: " + points + " for " + (told.size() + 1) + " constants";
    }
    if (why.isEmpty()) {
      told.add(constant);
    } else {
      reasons.put(constant.name(), why);
    }
  }

  /** The constants that can be told. */
  List<HostConstant> told() {
    return told;
  }

  /** Why the others cannot, by name. */
  Map<String, String> reasons() {
    return reasons;
  }

  /** What each constant moves, by the changes that matter. */
  static double[][] moved(List<MeasuredRun> runs, HostCosts base) {
    double[][] moved = new double[HostConstant.ALL.length][];
    for (int c = 0; c < moved.length; c++) {
      HostConstant constant = HostConstant.ALL[c];
      double value = base.value(constant.name()) + constant.scale();
      moved[c] = HostCalibration.tell(runs, base.with(constant.name(), value));
    }
    return moved;
  }

  private static double norm(double[] a) {
    return StrictMath.sqrt(dot(a, a));
  }

  private static double dot(double[] a, double[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += a[i] * b[i];
    }
    return sum;
  }
}

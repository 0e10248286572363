package io.orrery.scenarios.calibration;

import io.orrery.models.HostCosts;
import io.orrery.models.kernels.Law;
import io.orrery.models.kernels.LawFit;
import io.orrery.scenarios.profile.HeldOut;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Host constants that tell measured runs best. The model is asked at the present constants and with
 * each constant moved a little; Levenberg–Marquardt finds the best constants of that linear answer
 * (logarithms of told over measured, softened so that outliers do not rule); and so on from there,
 * a few times, as long as the model itself agrees that it got better.
 *
 * <p>Deterministic: no randomness, and {@link StrictMath} throughout.
 */
public final class HostCalibration {
  private static final int ROUNDS = 12;
  private static final int HALVINGS = 3;
  private static final double LEAST_GAIN = 1e-3;
  private static final double[] WAYS = {0.25, 1, 0.0625};
  private static final double KNEE = 0.1;
  private static final double SETTLED = 0.02;
  private static final double LEAST_MILLIS = 1e-3;
  private static final int LEAST_POINTS = 6;

  private final List<MeasuredRun> runs;
  private final double[] measured;

  /**
   * What was found.
   *
   * @param host the constants, unfitted ones as in the base
   * @param fitted names of those that were fitted
   * @param reasons why the others were not, by name
   * @param before errors on held-out points with the base's constants, by metric
   * @param after the same with the fitted ones
   */
  public record Result(
      HostCosts host,
      List<String> fitted,
      Map<String, String> reasons,
      Map<String, HeldOut> before,
      Map<String, HeldOut> after) {
    public Result {
      fitted = List.copyOf(fitted);
      reasons = Collections.unmodifiableMap(new LinkedHashMap<>(reasons));
      before = Collections.unmodifiableMap(new LinkedHashMap<>(before));
      after = Collections.unmodifiableMap(new LinkedHashMap<>(after));
    }
  }

  private HostCalibration(List<MeasuredRun> runs) {
    this.runs = runs;
    this.measured =
        runs.stream()
            .flatMap(run -> run.points().stream())
            .mapToDouble(MeasuredRun.Point::millis)
            .toArray();
  }

  /**
   * Fits.
   *
   * @param base where to begin, and what stays of the constants that cannot be told
   * @throws IllegalArgumentException if there are too few points, or none to judge by
   */
  public static Result fit(List<MeasuredRun> runs, HostCosts base) {
    HostCalibration calibration = new HostCalibration(runs);
    if (calibration.measured.length < LEAST_POINTS) {
      throw new IllegalArgumentException(
          calibration.measured.length
              + " measured times to fit to, expected at least "
              + LEAST_POINTS);
    }
    Map<String, HeldOut> before = judge(runs, base);
    if (before.isEmpty()) {
      throw new IllegalArgumentException("no measurement is left to judge the fit by");
    }
    Sensitivity sensitivity = Sensitivity.of(tell(runs, base), Sensitivity.moved(runs, base));
    List<HostConstant> constants = new ArrayList<>(sensitivity.told());
    Map<String, String> reasons = new LinkedHashMap<>(sensitivity.reasons());
    HostCosts best = calibration.search(base, constants);
    HostConstant lost = atEnd(constants, best);
    while (lost != null) {
      constants.remove(lost);
      reasons.put(
          lost.name(),
          "the best value is at the end of what makes sense: it stands for something else that is"
              + " off");
      best = calibration.search(base, constants);
      lost = atEnd(constants, best);
    }
    return new Result(
        best,
        constants.stream().map(HostConstant::name).toList(),
        reasons,
        before,
        judge(runs, best));
  }

  /** The least telling constant that ran to an end of its range, null if none did. */
  private static @Nullable HostConstant atEnd(List<HostConstant> constants, HostCosts host) {
    HostConstant last = null;
    for (HostConstant constant : constants) {
      if (constant.isAtEnd(host.value(constant.name()))) {
        last = constant;
      }
    }
    return last;
  }

  /** Told times of all points. */
  static double[] tell(List<MeasuredRun> runs, HostCosts host) {
    return runs.stream().flatMapToDouble(run -> Arrays.stream(run.told(host).fitted())).toArray();
  }

  /** Errors on the points that fits do not see, by metric. */
  static Map<String, HeldOut> judge(List<MeasuredRun> runs, HostCosts host) {
    Map<String, List<double[]>> pairs = new TreeMap<>();
    for (MeasuredRun run : runs) {
      run.told(host)
          .heldOut()
          .forEach(
              (metric, list) ->
                  pairs.computeIfAbsent(metric, key -> new ArrayList<>()).addAll(list));
    }
    Map<String, HeldOut> errors = new LinkedHashMap<>();
    pairs.forEach(
        (metric, list) -> {
          if (!list.isEmpty()) {
            errors.put(metric, HeldOut.of(metric, list));
          }
        });
    return errors;
  }

  /** Constants and what the model tells with them. */
  private record Place(HostCosts host, double[] told, double cost) {}

  private Place place(HostCosts host) {
    double[] told = tell(runs, host);
    return new Place(host, told, cost(told));
  }

  private HostCosts search(HostCosts base, List<HostConstant> constants) {
    Place best = place(base);
    for (int round = 0; round < ROUNDS && !constants.isEmpty(); round++) {
      Place next = better(constants, best);
      if (next == null) {
        break;
      }
      boolean settled = settled(constants, best.host(), next.host());
      best = next;
      if (settled) {
        break;
      }
    }
    return best.host();
  }

  /**
   * A better place, null if none is found. Schedulers answer in jumps; a slope that was taken over
   * too short or too long a way may mislead, so several are tried.
   */
  private @Nullable Place better(List<HostConstant> constants, Place here) {
    for (double way : WAYS) {
      double[] wanted = best(constants, here, way);
      double share = 1;
      for (int i = 0; i <= HALVINGS; i++) {
        Place next = place(between(constants, here.host(), wanted, share));
        if (next.cost() < (1 - LEAST_GAIN) * here.cost()) {
          return next;
        }
        share /= 2;
      }
    }
    return null;
  }

  private static boolean settled(List<HostConstant> constants, HostCosts a, HostCosts b) {
    return constants.stream()
        .allMatch(c -> Math.abs(a.value(c.name()) - b.value(c.name())) < SETTLED * c.scale());
  }

  private static HostCosts between(
      List<HostConstant> constants, HostCosts from, double[] to, double share) {
    HostCosts host = from;
    for (int c = 0; c < constants.size(); c++) {
      HostConstant constant = constants.get(c);
      double here = from.value(constant.name());
      host = host.with(constant.name(), constant.settled(here + share * (to[c] - here)));
    }
    return host;
  }

  /**
   * The best constants of the linear answer at {@code place}.
   *
   * @param way how far constants are moved to see what they do, in their scales
   */
  private double[] best(List<HostConstant> constants, Place place, double way) {
    HostCosts here = place.host();
    double[] told = place.told();
    double[][] slopes = new double[constants.size()][];
    for (int c = 0; c < slopes.length; c++) {
      HostConstant constant = constants.get(c);
      double value = here.value(constant.name());
      double step = way * constant.scale();
      double[] moved = tell(runs, here.with(constant.name(), value + step));
      slopes[c] = new double[told.length];
      for (int i = 0; i < told.length; i++) {
        slopes[c][i] = (moved[i] - told[i]) / step;
      }
    }
    List<double[]> shapes = new ArrayList<>();
    for (int i = 0; i < told.length; i++) {
      double[] shape = new double[1 + slopes.length];
      shape[0] = told[i];
      for (int c = 0; c < slopes.length; c++) {
        shape[1 + c] = slopes[c][i];
        shape[0] -= slopes[c][i] * here.value(constants.get(c).name());
      }
      shapes.add(shape);
    }
    return LawFit.fit(new Linear(constants, here), shapes, measured);
  }

  private double cost(double[] told) {
    double sum = 0;
    for (int i = 0; i < told.length; i++) {
      double scaled = StrictMath.log(told[i] / measured[i]) / KNEE;
      sum += StrictMath.sqrt(1 + scaled * scaled) - 1;
    }
    return sum;
  }

  /** A time that is linear in the constants; a shape is its value without them, and its slopes. */
  private record Linear(List<HostConstant> constants, HostCosts here) implements Law {
    @Override
    public String[] coefficients() {
      return constants.stream().map(HostConstant::name).toArray(String[]::new);
    }

    @Override
    public double[] start() {
      return constants.stream()
          .mapToDouble(c -> Math.min(c.largest(), Math.max(here.value(c.name()), c.scale() / 100)))
          .toArray();
    }

    @Override
    public double[] least() {
      return constants.stream().mapToDouble(HostConstant::least).toArray();
    }

    @Override
    public double[] largest() {
      return constants.stream().mapToDouble(HostConstant::largest).toArray();
    }

    @Override
    public double micros(double[] values, double[] shape) {
      double sum = shape[0];
      for (int c = 0; c < values.length; c++) {
        sum += shape[1 + c] * values[c];
      }
      return Math.max(LEAST_MILLIS, sum);
    }
  }
}

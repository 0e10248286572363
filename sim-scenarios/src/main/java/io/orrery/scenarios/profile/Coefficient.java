package io.orrery.scenarios.profile;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One host constant and what is known about it.
 *
 * @param value in the unit of its name
 * @param fit how it was fitted, null where it was not
 * @param why it was not fitted and where the value comes from; empty where it was
 */
public record Coefficient(double value, @Nullable Fit fit, String why) {

  /**
   * A fit.
   *
   * @param method {@code engine} (replays by the simulator) or {@code closed-form}
   * @param fittedOn the day, as 2026-11-29
   * @param from names of the files
   * @param ranges smallest and largest value of what the points varied in, by its name
   * @param heldOut errors on points that the fit had not seen
   */
  public record Fit(
      String method,
      String fittedOn,
      List<String> from,
      Map<String, double[]> ranges,
      HeldOut heldOut) {
    public Fit {
      from = List.copyOf(from);
      ranges = Collections.unmodifiableMap(new LinkedHashMap<>(ranges));
    }
  }

  /** A constant that was fitted. */
  public static Coefficient fitted(double value, Fit fit) {
    return new Coefficient(value, fit, "");
  }

  /** A constant that was left as it is. */
  public static Coefficient kept(double value, String why) {
    return new Coefficient(value, null, why);
  }
}

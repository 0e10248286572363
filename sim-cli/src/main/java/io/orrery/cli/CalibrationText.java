package io.orrery.cli;

import io.orrery.models.HostCosts;
import io.orrery.scenarios.calibration.Calibration;
import io.orrery.scenarios.calibration.HostCalibration;
import io.orrery.scenarios.profile.Coefficient;
import io.orrery.scenarios.profile.HeldOut;
import java.util.Locale;
import java.util.Map;

/** What a calibration found, as a person reads it. */
final class CalibrationText {
  private final StringBuilder text = new StringBuilder();

  private CalibrationText() {}

  static String of(Calibration calibration) {
    CalibrationText text = new CalibrationText();
    text.kernels(calibration);
    HostCalibration.Result result = calibration.result();
    if (result != null) {
      text.constants(calibration, result);
      text.errors(calibration, result);
    }
    return text.text.toString();
  }

  private void kernels(Calibration calibration) {
    if (calibration.kernelErrors().isEmpty()) {
      return;
    }
    line("%-44s %8s %8s %8s", "kernel laws, held out", "median", "p90", "points");
    for (Map.Entry<String, double[]> entry : calibration.kernelErrors().entrySet()) {
      double[] error = entry.getValue();
      line(
          "%-44s %6.1f %% %6.1f %% %8d",
          entry.getKey(), 100 * error[0], 100 * error[1], (long) error[2]);
    }
    line("");
  }

  private void constants(Calibration calibration, HostCalibration.Result result) {
    boolean engine = calibration.method().equals("engine");
    line(
        "Fitted to %d %s, told by the %s; %d others judge.",
        calibration.fittedTo(),
        engine ? "requests" : "closed loops",
        engine ? "engine" : "closed form",
        calibration.judgedBy());
    calibration.skipped().forEach((reason, count) -> line("Left out: %d rows, %s.", count, reason));
    line("");
    line("%-20s %10s %10s", "host constant", "shipped", "fitted");
    Map<String, Coefficient> host = calibration.profile().host();
    for (String name : HostCosts.NAMES) {
      Coefficient coefficient = host.get(name);
      double shipped = calibration.base().value(name);
      if (result.fitted().contains(name)) {
        line("%-20s %10s %10s", name, number(shipped), number(result.host().value(name)));
      } else {
        String why = coefficient == null ? "" : coefficient.why();
        line("%-20s %10s %10s  %s", name, number(shipped), "kept", why);
      }
    }
    line("");
  }

  private void errors(Calibration calibration, HostCalibration.Result result) {
    boolean mean = calibration.method().equals("engine");
    line(
        "%-20s %s%21s %21s",
        "",
        mean ? String.format(Locale.ROOT, "%21s ", "of the mean") : "",
        "median of points",
        "p90 of points");
    line(
        "%-20s %s%10s %10s %10s %10s",
        "held-out error",
        mean ? pair("shipped", "fitted") : "",
        "shipped",
        "fitted",
        "shipped",
        "fitted");
    result
        .after()
        .forEach(
            (metric, after) -> {
              HeldOut before = result.before().get(metric);
              if (before != null) {
                line(
                    "%-20s %s%10s %10s %10s %10s",
                    metric.toUpperCase(Locale.ROOT),
                    mean ? pair(share(before.mean()), share(after.mean())) : "",
                    share(before.median()),
                    share(after.median()),
                    share(before.p90()),
                    share(after.p90()));
              }
            });
  }

  private static String pair(String before, String after) {
    return String.format(Locale.ROOT, "%10s %10s ", before, after);
  }

  private static String share(double value) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * value);
  }

  private static String number(double value) {
    return value == Math.rint(value)
        ? Long.toString((long) value)
        : String.format(Locale.ROOT, Math.abs(value) < 10 ? "%.3f" : "%.1f", value);
  }

  private void line(String format, Object... values) {
    String line = values.length == 0 ? format : String.format(Locale.ROOT, format, values);
    text.append(line.stripTrailing()).append(System.lineSeparator());
  }
}

package io.orrery.traces.synthesis;

import io.orrery.traces.synthesis.ServeGenClient.Window;
import java.util.List;

/**
 * When a client sends: a renewal process whose rate and gaps change from window to window. Gaps are
 * measured in expected requests and turned into time by the windows' rates, so that a gap may span
 * several of them and the long-run rates are those of the file.
 *
 * <p>Gamma gaps are drawn as by Marsaglia and Tsang, "A simple method for generating gamma
 * variables", ACM TOMS 26(3), 2000; Weibull's by inversion.
 */
final class ServeGenArrivals {
  /** Length of a window where no other follows, s: that of ServeGen's data. */
  private static final double ONLY_WINDOW = 600;

  private final List<Window> windows;
  private final double speed;
  private final RandomStream stream;
  private int window;
  private double seconds;

  /**
   * @param speed factor of all rates
   */
  ServeGenArrivals(ServeGenClient client, double speed, RandomStream stream) {
    windows = client.windows();
    this.speed = speed;
    this.stream = stream;
    seconds = windows.get(0).startSeconds();
    // Nobody begins with a request: the first gap is under way.
    advance(gap() * stream.uniform());
  }

  /** When the next request is sent, s; infinite behind the last window. */
  double seconds() {
    return seconds;
  }

  /** Goes on to the request after it. */
  void next() {
    advance(gap());
  }

  /** When the last window ends, s. */
  static double end(List<Window> windows) {
    int last = windows.size() - 1;
    double start = windows.get(last).startSeconds();
    return start + (last == 0 ? ONLY_WINDOW : start - windows.get(last - 1).startSeconds());
  }

  private double windowEnd() {
    return window + 1 < windows.size() ? windows.get(window + 1).startSeconds() : end(windows);
  }

  private void advance(double expected) {
    double left = expected;
    while (true) {
      double rate = windows.get(window).rate() * speed;
      double room = (windowEnd() - seconds) * rate;
      if (left < room) {
        seconds += left / rate;
        return;
      }
      left -= Math.max(0, room);
      seconds = windowEnd();
      if (++window == windows.size()) {
        window--;
        seconds = Double.POSITIVE_INFINITY;
        return;
      }
    }
  }

  /** A gap by the current window, in requests that are expected in it. */
  private double gap() {
    Window now = windows.get(window);
    return switch (now.pattern()) {
      case "Gamma" -> now.rate() * now.second() * gamma(now.first());
      case "Weibull" -> now.rate() * now.second() * StrictMath.pow(exponential(), 1 / now.first());
      default -> exponential();
    };
  }

  private double exponential() {
    return -StrictMath.log(1 - stream.uniform());
  }

  /** Of scale 1. */
  private double gamma(double shape) {
    if (shape < 1) {
      return gamma(shape + 1) * StrictMath.pow(1 - stream.uniform(), 1 / shape);
    }
    double d = shape - 1.0 / 3;
    double c = 1 / StrictMath.sqrt(9 * d);
    while (true) {
      double x = stream.normal();
      double v = 1 + c * x;
      v = v * v * v;
      if (v > 0
          && StrictMath.log(1 - stream.uniform())
              < 0.5 * x * x + d - d * v + d * StrictMath.log(v)) {
        return d * v;
      }
    }
  }
}

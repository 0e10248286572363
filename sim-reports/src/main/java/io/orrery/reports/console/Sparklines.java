package io.orrery.reports.console;

import java.util.List;

/** How levels went over time, a line of block characters each, all on one scale from zero. */
public final class Sparklines {
  /** Characters of a line: stretches of time. */
  public static final int STRETCHES = 60;

  private static final String LEVELS = "▁▂▃▄▅▆▇█";
  private static final int LONGEST_NAME = 24;

  private Sparklines() {}

  /**
   * A level over time.
   *
   * @param values by stretch; NaN where there is none, which stays blank
   */
  public record Level(String name, double[] values) {
    double most() {
      double most = 0;
      for (double value : values) {
        most = value > most ? value : most;
      }
      return most;
    }
  }

  /** Mean times to first token over the time of each run, in milliseconds. */
  public static String ofTtft(List<Level> levels) {
    double most = levels.stream().mapToDouble(Level::most).max().orElse(0);
    if (!(most > 0)) {
      return "";
    }
    int width = levels.stream().mapToInt(level -> shortened(level.name()).length()).max().orElse(0);
    StringBuilder out = new StringBuilder("Mean TTFT from start to end, up to ");
    out.append(HumanUnits.millis(most)).append('\n');
    for (Level level : levels) {
      String name = shortened(level.name());
      out.append("  ").append(name).append(" ".repeat(width - name.length() + 2));
      out.append(line(level.values(), most).stripTrailing()).append('\n');
    }
    return out.toString();
  }

  /** The characters of a level; the lowest stands for everything above zero, too. */
  static String line(double[] values, double most) {
    StringBuilder line = new StringBuilder();
    for (double value : values) {
      int height = (int) Math.ceil(value / most * LEVELS.length()) - 1;
      line.append(
          Double.isNaN(value)
              ? ' '
              : LEVELS.charAt(Math.max(0, Math.min(LEVELS.length() - 1, height))));
    }
    return line.toString();
  }

  private static String shortened(String name) {
    return name.length() <= LONGEST_NAME ? name : name.substring(0, LONGEST_NAME - 1) + "…";
  }
}

package io.orrery.scenarios.text;

/**
 * Where something was written.
 *
 * @param source the file as the user named it, or {@code --set} and the like
 * @param line from 1; 0 where the source has no lines
 * @param column from 1; 0 where the source has no lines
 */
public record Position(String source, int line, int column) {

  /** A source without lines, such as a command-line option. */
  public static Position of(String source) {
    return new Position(source, 0, 0);
  }

  /** {@code FILE:LINE}, or the source alone where there are no lines. */
  public String text() {
    return line == 0 ? source : source + ":" + line;
  }
}

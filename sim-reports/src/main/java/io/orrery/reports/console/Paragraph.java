package io.orrery.reports.console;

import io.orrery.traces.PrintableText;

/** Text in lines of a certain width, as {@link PrintableText}. */
public final class Paragraph {
  private Paragraph() {}

  /** The text with line breaks at blanks, so that lines have at most {@code width} columns. */
  public static String wrapped(String raw, int width) {
    String text = PrintableText.of(raw);
    StringBuilder out = new StringBuilder();
    int column = 0;
    int from = 0;
    while (from < text.length()) {
      int blank = text.indexOf(' ', from);
      int end = blank < 0 ? text.length() : blank;
      if (column > 0 && column + 1 + end - from > width) {
        out.append('\n');
        column = 0;
      } else if (column > 0) {
        out.append(' ');
        column++;
      }
      out.append(text, from, end);
      column += end - from;
      from = end + 1;
    }
    return out.toString();
  }
}

package io.orrery.traces;

import java.util.Locale;

/**
 * Text that neither moves a terminal's cursor nor reorders what it shows: control characters (C0,
 * DEL, C1), line and paragraph separators, the controls of bidirectional text and halves of
 * surrogate pairs stand as escapes, {@code \n} or {@code \}{@code u001b}. Whatever a trace, a
 * scenario or a file's name holds goes through here on its way to a console.
 */
public final class PrintableText {
  private PrintableText() {}

  /** The text with escapes for what is not printed; itself where there is nothing to escape. */
  public static String of(String text) {
    int first = 0;
    while (first < text.length() && !isEscaped(text, first)) {
      first++;
    }
    if (first == text.length()) {
      return text;
    }
    StringBuilder out = new StringBuilder(text.length() + 16).append(text, 0, first);
    for (int i = first; i < text.length(); i++) {
      if (isEscaped(text, i)) {
        out.append(escaped(text.charAt(i)));
      } else {
        out.append(text.charAt(i));
      }
    }
    return out.toString();
  }

  /** Whether a character does something to a terminal, other than appearing on it. */
  public static boolean isControl(char c) {
    return c < ' '
        || (c >= 0x7f && c <= 0x9f)
        || (c >= 0x2028 && c <= 0x202e)
        || (c >= 0x2066 && c <= 0x2069);
  }

  /** How a character is shown that is not printed. */
  public static String escaped(char c) {
    return switch (c) {
      case '\n' -> "\\n";
      case '\r' -> "\\r";
      case '\t' -> "\\t";
      default -> String.format(Locale.ROOT, "\\u%04x", (int) c);
    };
  }

  private static boolean isEscaped(String text, int i) {
    return isControl(text.charAt(i)) || SurrogatePairs.isHalf(text, i);
  }
}

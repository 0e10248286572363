package io.orrery.traces;

/**
 * Characters beyond the first 65,536 are two {@code char}s, of which JSON may give one alone. Half
 * a pair has no UTF-8: whoever encodes it writes a question mark, and different texts become one.
 */
public final class SurrogatePairs {
  /** What is expected of a text that has half a pair. */
  static final String WHOLE = "text without half a surrogate pair";

  private SurrogatePairs() {}

  /** Whether no half of a pair stands alone. */
  public static boolean areWhole(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (isHalf(text, i)) {
        return false;
      }
    }
    return true;
  }

  /** Whether half a pair stands at an index without its other half. */
  static boolean isHalf(String text, int i) {
    char c = text.charAt(i);
    if (!Character.isSurrogate(c)) {
      return false;
    }
    return Character.isHighSurrogate(c)
        ? i + 1 == text.length() || !Character.isLowSurrogate(text.charAt(i + 1))
        : i == 0 || !Character.isHighSurrogate(text.charAt(i - 1));
  }
}

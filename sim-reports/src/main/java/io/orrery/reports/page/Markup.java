package io.orrery.reports.page;

/** Writes HTML and SVG; every text and every attribute value is escaped. */
final class Markup {
  private final StringBuilder out = new StringBuilder();

  /** Opens an element; attributes are names and values in turn. */
  Markup open(String tag, String... attributes) {
    out.append('<').append(tag);
    attributes(attributes);
    out.append('>');
    return this;
  }

  Markup close(String tag) {
    out.append("</").append(tag).append('>');
    return this;
  }

  /** An element without content. */
  Markup empty(String tag, String... attributes) {
    out.append('<').append(tag);
    attributes(attributes);
    out.append("/>");
    return this;
  }

  /** An element with a text. */
  Markup element(String tag, String text, String... attributes) {
    return open(tag, attributes).text(text).close(tag);
  }

  private void attributes(String... attributes) {
    for (int i = 0; i + 1 < attributes.length; i += 2) {
      out.append(' ').append(attributes[i]).append("=\"");
      escape(attributes[i + 1]);
      out.append('"');
    }
  }

  Markup text(String text) {
    escape(text);
    return this;
  }

  Markup line() {
    out.append('\n');
    return this;
  }

  /** Adds markup or script that this program wrote itself. */
  Markup raw(String trusted) {
    out.append(trusted);
    return this;
  }

  private void escape(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '&' -> out.append("&amp;");
        case '<' -> out.append("&lt;");
        case '>' -> out.append("&gt;");
        case '"' -> out.append("&quot;");
        case '\'' -> out.append("&#39;");
        default -> out.append(isAllowed(text, i) ? c : '\uFFFD');
      }
    }
  }

  /** Control characters and lone surrogates may stand in no document. */
  private static boolean isAllowed(String text, int i) {
    char c = text.charAt(i);
    if (Character.isHighSurrogate(c)) {
      return i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1));
    }
    if (Character.isLowSurrogate(c)) {
      return i > 0 && Character.isHighSurrogate(text.charAt(i - 1));
    }
    return (c >= ' ' && c != 0x7f && c < 0xFFFE) || c == '\n' || c == '\t';
  }

  @Override
  public String toString() {
    return out.toString();
  }
}

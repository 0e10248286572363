package io.orrery.scenarios.text;

import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * YAML as it was written, with a position for every key and value. Types are not guessed here
 * (whether {@code no} is a word or a boolean is for the key's declared type to say); only quotes
 * are remembered.
 */
public sealed interface YamlNode {

  /** What needs no quotes in a message. */
  Pattern WORD = Pattern.compile("[A-Za-z0-9+./_-]+");

  /** Where the node starts. */
  Position position();

  /** The node in a few words, for the "found" part of a message. */
  String found();

  /**
   * A text for the "found" part of a message: as it is if it is a short word or number, else quoted
   * and shortened.
   */
  static String found(String text) {
    boolean word = text.length() <= 60 && WORD.matcher(text).matches();
    return word ? text : CanonicalText.quoted(shortened(text));
  }

  private static String shortened(String text) {
    return text.codePointCount(0, text.length()) <= 60
        ? text
        : text.substring(0, text.offsetByCodePoints(0, 57)) + "...";
  }

  /**
   * A single value.
   *
   * @param text the text without quotes
   * @param plain true if it stood without quotes
   */
  record Scalar(String text, boolean plain, Position position) implements YamlNode {
    private static final Set<String> NULLS = Set.of("", "~", "null", "Null", "NULL");

    /** True for a key without a value, {@code ~} and {@code null}. */
    public boolean isNull() {
      return plain && NULLS.contains(text);
    }

    @Override
    public String found() {
      if (isNull()) {
        return "nothing";
      }
      return plain ? YamlNode.found(text) : CanonicalText.quoted(shortened(text));
    }
  }

  /** A list. */
  record Sequence(List<YamlNode> items, Position position) implements YamlNode {
    /** A list of these items. */
    public Sequence {
      items = List.copyOf(items);
    }

    @Override
    public String found() {
      return items.isEmpty() ? "an empty list" : "a list";
    }
  }

  /** A mapping, in the order written; each key stands once. */
  record Mapping(List<Entry> entries, Position position) implements YamlNode {
    /** A mapping of these entries. */
    public Mapping {
      entries = List.copyOf(entries);
    }

    @Override
    public String found() {
      return entries.isEmpty() ? "an empty mapping" : "a mapping";
    }
  }

  /** A key and its value. */
  record Entry(Scalar key, YamlNode value) {}
}

package io.orrery.scenarios.text;

import io.orrery.traces.PrintableText;

/**
 * One thing that is wrong with a scenario.
 *
 * @param position where it was written
 * @param path the key's full path, such as {@code engine.blockSize}; empty where the document as a
 *     whole is meant
 * @param found what stands there, ready to print
 * @param expected what should stand there
 */
public record Problem(Position position, String path, String found, String expected) {

  /** {@code FILE:LINE: path.to.key: found VALUE, expected WHAT}, as {@link PrintableText}. */
  public String text() {
    boolean odd = path.chars().anyMatch(Character::isISOControl);
    String at = path.isEmpty() ? "" : (odd ? CanonicalText.quoted(path) : path) + ": ";
    return PrintableText.of(
        position.text() + ": " + at + "found " + found + ", expected " + expected);
  }
}

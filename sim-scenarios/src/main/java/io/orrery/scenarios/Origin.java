package io.orrery.scenarios;

import io.orrery.scenarios.text.Position;
import java.nio.file.Path;

/**
 * Who gave a setting its value.
 *
 * @param name the preset's or variant's name; empty for the others
 * @param position where it was written
 * @param directory what relative paths in the value are relative to
 */
public record Origin(Kind kind, String name, Position position, Path directory) {
  private static final Path NOWHERE = Path.of("");

  /** The layers, each above the one before. */
  public enum Kind {
    /** The shipped default. */
    DEFAULT,
    /** The engine preset. */
    PRESET,
    /** The scenario file. */
    FILE,
    /** A variant in the scenario file. */
    VARIANT,
    /** An option of the command. */
    COMMAND_LINE
  }

  /** The shipped default. */
  static Origin ofDefault() {
    return new Origin(Kind.DEFAULT, "", Position.of("defaults.yaml"), NOWHERE);
  }

  static Origin ofPreset(String name, Position position) {
    return new Origin(Kind.PRESET, name, position, NOWHERE);
  }

  static Origin ofFile(Position position, Path directory) {
    return new Origin(Kind.FILE, "", position, directory);
  }

  static Origin ofVariant(String name, Position position, Path directory) {
    return new Origin(Kind.VARIANT, name, position, directory);
  }

  static Origin ofOption(String option, Path workingDirectory) {
    return new Origin(Kind.COMMAND_LINE, "", Position.of(option), workingDirectory);
  }

  /** Whether the user wrote it: in a file, a variant or on the command line. */
  public boolean isWritten() {
    return kind != Kind.DEFAULT && kind != Kind.PRESET;
  }

  /** Where a refusal points: files that come with the program are no place to look at. */
  Position blamed() {
    return isWritten() ? position : Position.of(text());
  }

  /**
   * {@code default}, {@code preset NAME}, {@code FILE:LINE}, {@code variant NAME (FILE:LINE)} or
   * the option, as --set.
   */
  public String text() {
    return switch (kind) {
      case DEFAULT -> "default";
      case PRESET -> "preset " + name;
      case VARIANT -> "variant " + name + " (" + position.text() + ")";
      case FILE, COMMAND_LINE -> position.text();
    };
  }
}

package io.orrery.scenarios.text;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.reader.ReaderException;

/**
 * Reads one YAML document into {@link YamlNode}s. Accepted: UTF-8 with or without a byte order
 * mark, LF or CRLF, anchors and aliases within {@link #MAX_NODES}. Refused, with file and line:
 * anything that is not text, is empty, is not YAML, holds several documents, tags, merge keys or
 * the same key twice.
 */
public final class YamlReader {
  /** A larger file is not a scenario. */
  public static final int MAX_BYTES = 1 << 20;

  /** Values in one document after aliases are replaced by what they stand for. */
  public static final int MAX_NODES = 100_000;

  /** Lists and mappings inside one another. */
  public static final int MAX_DEPTH = 32;

  private YamlReader() {}

  /**
   * Reads a file.
   *
   * @throws ScenarioException if it cannot be read or is refused
   */
  public static YamlNode read(Path file) {
    return read(file, "a scenario");
  }

  /**
   * Reads a file.
   *
   * @param what the file should be, for messages: "a scenario"
   * @throws ScenarioException if it cannot be read or is refused
   */
  public static YamlNode read(Path file, String what) {
    Position position = Position.of(file.toString());
    if (!Files.exists(file)) {
      throw new ScenarioException(position, "", "no such file", what + " in YAML");
    }
    if (!Files.isRegularFile(file)) {
      throw new ScenarioException(
          position,
          "",
          Files.isDirectory(file) ? "a folder" : "no regular file",
          what + " in YAML");
    }
    byte[] bytes;
    try {
      long size = Files.size(file);
      if (size > MAX_BYTES) {
        throw new ScenarioException(
            position, "", size + " bytes", what + " of at most " + MAX_BYTES + " bytes");
      }
      bytes = Files.readAllBytes(file);
    } catch (IOException e) {
      throw new ScenarioException(
          position, "", "an unreadable file (" + e.getMessage() + ")", what + " in YAML");
    }
    return parse(decode(bytes, position), file.toString());
  }

  /**
   * Reads a text.
   *
   * @param source what messages call it
   * @throws ScenarioException if it is refused
   */
  public static YamlNode parse(String text, String source) {
    return parse(text, Position.of(source), true);
  }

  /**
   * Reads a value given on the command line, whose messages carry no line.
   *
   * @throws ScenarioException if it is refused
   */
  public static YamlNode parseValue(String text, Position position) {
    return parse(text, position, false);
  }

  private static YamlNode parse(String text, Position source, boolean lines) {
    String body = text.startsWith("\uFEFF") ? text.substring(1) : text;
    try {
      return new YamlComposer(body, source.source(), lines).document();
    } catch (ReaderException e) {
      String found = String.format(Locale.ROOT, "the control character U+%04X", e.getCodePoint());
      throw new ScenarioException(at(source, lines, body, e.getPosition()), "", found, "YAML text");
    } catch (MarkedYAMLException e) {
      int index = e.getProblemMark() == null ? 0 : e.getProblemMark().getIndex();
      String problem = e.getProblem() == null ? "malformed text" : e.getProblem();
      Position position = at(source, lines, body, index);
      if (problem.contains("(TAB)")) {
        throw new ScenarioException(
            position, "", "a tab in column " + Math.max(1, position.column()), "spaces");
      }
      throw new ScenarioException(
          position, "", "malformed YAML (" + oneLine(problem) + ")", "valid YAML");
    } catch (YAMLException e) {
      throw new ScenarioException(
          source,
          "",
          "malformed YAML (" + oneLine(String.valueOf(e.getMessage())) + ")",
          "valid YAML");
    }
  }

  private static String decode(byte[] bytes, Position position) {
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] == 0) {
        throw new ScenarioException(
            position, "", "a binary file (byte 0 at offset " + i + ")", "YAML text in UTF-8");
      }
    }
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .onMalformedInput(CodingErrorAction.REPORT)
          .onUnmappableCharacter(CodingErrorAction.REPORT)
          .decode(buffer)
          .toString();
    } catch (CharacterCodingException e) {
      int offset = buffer.position();
      String found = String.format(Locale.ROOT, "byte 0x%02X at offset %d", bytes[offset], offset);
      throw new ScenarioException(
          position, "", found + ", which is not UTF-8", "YAML text in UTF-8");
    }
  }

  /** The line and column of a code-point index. */
  private static Position at(Position source, boolean lines, String body, int index) {
    if (!lines) {
      return source;
    }
    int line = 1;
    int column = 1;
    int end = body.offsetByCodePoints(0, Math.min(index, body.codePointCount(0, body.length())));
    for (int i = 0; i < end; i++) {
      char c = body.charAt(i);
      boolean newLine =
          c == '\n' || (c == '\r' && (i + 1 == body.length() || body.charAt(i + 1) != '\n'));
      column = newLine ? 1 : column + 1;
      line += newLine ? 1 : 0;
    }
    return new Position(source.source(), line, column);
  }

  private static String oneLine(String text) {
    return text.replaceAll("\\s+", " ").strip();
  }
}

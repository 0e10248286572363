package io.orrery.traces;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.function.Predicate;

/** Tells formats by content. */
final class FormatDetection {
  /** White space before this many characters does not hide a table. */
  private static final int LOOK_AHEAD = 4096;

  /** With these begin JSON and numbers; with a comma a header whose first column has no name. */
  private static final String NO_HEADER = "{}[]+-.:0123456789";

  private FormatDetection() {}

  /**
   * The one format of all files.
   *
   * @throws TraceException where one is of no known format, or of another than the first
   */
  static TraceFormat common(List<TraceFile> files) {
    TraceFormat first = of(files.get(0));
    for (TraceFile file : files.subList(1, files.size())) {
      TraceFormat other = of(file);
      if (other != first) {
        throw new TraceException(
            file.name(),
            0,
            "trace format",
            other.formatName(),
            first.formatName() + ", the format of " + files.get(0).name());
      }
    }
    return first;
  }

  /** The format of a file. */
  static TraceFormat of(TraceFile file) {
    if (file.isParquet()) {
      return TraceFormat.ORRERY;
    }
    TraceFormat format;
    boolean table = isTable(file);
    if (!table) {
      refuseTableWithoutHeader(file);
    }
    try (JsonRows rows =
        JsonRows.of(file.name(), table ? TextForm.TABLE : TextForm.JSON, file.open())) {
      format = FirstObject.format(rows);
    } catch (IOException e) {
      throw TraceSources.unreadable(file.name(), e);
    }
    if (format == TraceFormat.MOONCAKE) {
      if (laterRows(file, AgenticMooncakeReader::goOnAsAGraph)) {
        return TraceFormat.AGENTIC_MOONCAKE;
      }
      if (laterRows(file, MooncakeDeltaReader::looksLikeIncrements)) {
        return TraceFormat.MOONCAKE_DELTA;
      }
    }
    return format;
  }

  private static void refuseTableWithoutHeader(TraceFile file) {
    try (InputStream in = file.open()) {
      String text = new String(in.readNBytes(LOOK_AHEAD), UTF_8);
      String line = text.lines().findFirst().orElse("");
      if (line.matches("-?[0-9][0-9.eE+-]*(,[^,{}\\[\\]]*)+")) {
        throw new TraceException(
            file.name(),
            1,
            "trace format",
            "a table without a header, such as ServeGen's windows",
            "requests: a header and rows, or JSON objects (clients of ServeGen: orrery trace"
                + " synthesize --servegen)");
      }
    } catch (IOException e) {
      throw TraceSources.unreadable(file.name(), e);
    }
  }

  /**
   * Whether a text is a table: its first line does not begin as JSON does, and has a comma.
   *
   * @throws TraceException where it has semicolons or tabs instead, or begins with a comment
   */
  static boolean isTable(TraceFile file) {
    try (InputStream in = file.open()) {
      int c = in.read();
      for (int i = 0; i < LOOK_AHEAD && isSpace(c); i++) {
        c = in.read();
      }
      if (c == '#') {
        throw new TraceException(
            file.name(),
            0,
            null,
            "a comment, which begins with # (comments are not read)",
            "a table's header or a JSON object in the first line");
      }
      if (c < 0 || NO_HEADER.indexOf(c) >= 0) {
        return false;
      }
      String other = null;
      for (int i = 0; i < LOOK_AHEAD && c >= 0 && c != '\n' && c != '\r'; i++) {
        if (c == ',') {
          return true;
        }
        other = c == ';' ? "semicolons" : c == '\t' ? "tabs" : other;
        c = in.read();
      }
      if (other != null) {
        throw new TraceException(
            file.name(), 1, null, "a table with " + other + " between its columns", "commas");
      }
      return false;
    } catch (IOException e) {
      throw TraceSources.unreadable(file.name(), e);
    }
  }

  private static boolean isSpace(int c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
  }

  private static boolean laterRows(TraceFile file, Predicate<JsonRows> told) {
    try (JsonRows rows = JsonRows.of(file.name(), TextForm.JSON, file.open())) {
      return told.test(rows);
    } catch (IOException e) {
      throw TraceSources.unreadable(file.name(), e);
    } catch (TraceException e) {
      // The reader will say the same, or leave the row out.
      return false;
    }
  }
}

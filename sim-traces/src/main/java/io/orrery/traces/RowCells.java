package io.orrery.traces;

import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.exc.StreamReadException;
import com.fasterxml.jackson.dataformat.csv.CsvParser;
import com.fasterxml.jackson.dataformat.csv.CsvSchema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Follows the cells of a table's rows: which of them are to be read, and whether a row has as many
 * as there are columns. Cells of a column without a name, as pandas writes for its index, are left
 * alone.
 */
final class RowCells {
  /** What the parser calls cells behind the last column; no column can be called so. */
  static final String BEHIND_THE_LAST = "\n";

  private static final String NO_SEPARATOR = "Expected column separator";
  private static final String NO_MORE_COLUMNS = "99999 header columns";
  private static final String NO_QUOTE = "Missing closing quote";

  private final CsvParser parser;

  /** Cells of the current row so far, and how many of them have no column. */
  private int cells;

  private int extra;
  private boolean extraText;
  private boolean ignored;

  RowCells(CsvParser parser) {
    this.parser = parser;
  }

  /** The columns that have names. */
  List<String> columns() {
    List<String> names = new ArrayList<>();
    for (CsvSchema.Column column : parser.getSchema()) {
      if (!column.getName().isEmpty()) {
        names.add(column.getName());
      }
    }
    return names;
  }

  /**
   * Whether a token is one to be read.
   *
   * @throws BadRowException at the end of a row that has more cells than there are columns; one
   *     that is empty, behind a last comma, is none
   */
  boolean isRead(JsonToken token) throws IOException {
    switch (token) {
      case START_OBJECT -> {
        cells = 0;
        extra = 0;
        extraText = false;
      }
      case FIELD_NAME -> {
        cells++;
        String name = parser.currentName();
        boolean behind = name.equals(BEHIND_THE_LAST);
        extra += behind ? 1 : 0;
        ignored = behind || name.isEmpty();
        return !ignored;
      }
      case END_OBJECT -> {
        if (extra > 1 || extraText) {
          throw new BadRowException(
              null, cells + " cells", String.valueOf(parser.getSchema().size()));
        }
      }
      default -> {
        boolean read = !ignored;
        extraText |= extra > 0 && token != JsonToken.VALUE_NULL && !parser.getText().isBlank();
        ignored = false;
        return read;
      }
    }
    return true;
  }

  /**
   * What the parser says of quotes, which it says where they end, or of too many columns; null of
   * all else.
   */
  @Nullable BadRowException inOwnWords(Exception why) {
    if (!(why instanceof StreamReadException parse)) {
      return null;
    }
    String message = String.valueOf(parse.getOriginalMessage());
    if (message.contains(NO_QUOTE)) {
      return new BadRowException(column(), "a quote that is never closed", "a closing quote");
    }
    if (message.contains(NO_SEPARATOR)) {
      int lines = 1 + (parse.getLocation() == null ? 0 : parse.getLocation().getLineNr() - line());
      return new BadRowException(
          column(),
          "a quoted cell"
              + (lines > 1 ? " of " + lines + " lines" : "")
              + " that goes on behind its closing quote",
          "a comma or the end of the line behind it, and two quotes for one inside");
    }
    if (message.contains(NO_MORE_COLUMNS)) {
      return new BadRowException(null, "a header of 99,999 columns or more", "fewer columns");
    }
    return null;
  }

  /** The line in which the cell begins that the parser has come to. */
  int line() {
    return parser.currentTokenLocation().getLineNr();
  }

  private @Nullable String column() {
    CsvSchema schema = parser.getSchema();
    String name = cells < schema.size() ? schema.columnName(cells) : "";
    return name.isEmpty() ? null : name;
  }
}

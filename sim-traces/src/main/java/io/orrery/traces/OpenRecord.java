package io.orrery.traces;

/** Whether a record goes on behind the lines that it has so far. */
final class OpenRecord {
  private final boolean table;

  /** Brackets and braces that are open. */
  private int depth;

  private Cell cell = Cell.BEGINS;
  private boolean ofNoTable;

  OpenRecord(boolean table) {
    this.table = table;
  }

  boolean isOpenAfter(byte[] line) {
    return table ? rowIsOpenAfter(line) : objectIsOpenAfter(line);
  }

  /** A text of JSON ends where its line ends, or it is none. */
  private boolean objectIsOpenAfter(byte[] line) {
    boolean text = false;
    for (int i = 0; i < line.length; i++) {
      byte c = line[i];
      if (text) {
        i += c == '\\' ? 1 : 0;
        text = c != '"';
      } else {
        text = c == '"';
        depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
      }
    }
    return depth > 0 && !text;
  }

  /**
   * Whether a cell has gone on behind its closing quote: if the quote was opened in an earlier
   * line, the one that seems to close it opens another cell.
   */
  boolean isOfNoTable() {
    return ofNoTable;
  }

  /** A quote opens a cell where the cell begins; inside, two are one. */
  private boolean rowIsOpenAfter(byte[] line) {
    cell = cell == Cell.QUOTED ? cell : Cell.BEGINS;
    for (byte c : line) {
      cell = after(cell, c);
      ofNoTable |= cell == Cell.BROKEN;
    }
    return cell == Cell.QUOTED && !ofNoTable;
  }

  private static Cell after(Cell cell, byte c) {
    if (cell == Cell.QUOTED) {
      return c == '"' ? Cell.CLOSED : Cell.QUOTED;
    }
    if (c == ',') {
      return Cell.BEGINS;
    }
    boolean space = c >= 0 && c <= ' ';
    return switch (cell) {
      case BEGINS -> c == '"' ? Cell.QUOTED : space ? Cell.BEGINS : Cell.PLAIN;
      case CLOSED -> c == '"' ? Cell.QUOTED : space ? Cell.ENDED : Cell.BROKEN;
      case ENDED -> space ? Cell.ENDED : Cell.BROKEN;
      default -> cell;
    };
  }

  /** Where one is in a row. */
  private enum Cell {
    /** Before the first character of a cell. */
    BEGINS,
    /** In a cell without quotes. */
    PLAIN,
    /** Behind the quote that opens a cell. */
    QUOTED,
    /** Behind a quote inside of it, which closes it if no other follows. */
    CLOSED,
    /** In the space behind such a cell. */
    ENDED,
    /** Behind it, where nothing should be. */
    BROKEN
  }
}

package io.orrery.traces;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.base.ParserBase;
import com.fasterxml.jackson.dataformat.csv.CsvParser;
import java.io.CharConversionException;
import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Makes tokens of a text: all that a parser does, so that it can be done by another thread. */
final class Tokenizer implements Closeable {
  private final JsonParser parser;

  /** Of a table's rows, null of JSON. */
  private final @Nullable RowCells cells;

  private final boolean folded;

  /** The line of the last token, of JSON. */
  private int line = 1;

  /**
   * Reads a text.
   *
   * @param folded whether it has passed through {@link RunFolding}
   */
  Tokenizer(JsonParser parser, boolean folded) {
    this.parser = parser;
    this.folded = folded;
    cells = parser instanceof CsvParser rows ? new RowCells(rows) : null;
  }

  /**
   * Adds tokens up to the end of the text, or up to what is wrong with it, or until there are so
   * many.
   *
   * @param lineOffset lines before the text's first
   * @return whether there may be more
   */
  boolean fill(TokenBatch batch, int most, int lineOffset) {
    try {
      while (batch.size() < most || !mayEnd(batch)) {
        JsonToken token = parser.nextToken();
        if (token == null) {
          learnColumns(batch);
          batch.end(lineOffset + currentLine());
          return false;
        }
        add(batch, token, lineOffset);
      }
      return true;
    } catch (BadRowException e) {
      batch.addFailure(e);
      return false;
    } catch (IOException | RuntimeException e) {
      BadRowException row = cells == null ? null : cells.inOwnWords(e);
      batch.line(lineOffset + (cells == null || row == null ? currentLine() : cells.line()));
      batch.addFailure(row == null ? e : row);
      return false;
    }
  }

  @Override
  public void close() throws IOException {
    parser.close();
  }

  private int currentLine() {
    return parser.currentLocation().getLineNr();
  }

  /**
   * The line in which a token of JSON begins. The parser knows that of the value behind a name;
   * that of the name itself is in a location, which takes as long as the token does.
   */
  private int tokenLine(JsonToken token) {
    int known = parser instanceof ParserBase json ? json.getTokenLineNr() : 0;
    boolean nameBefore = token == JsonToken.FIELD_NAME && known != line;
    return known == 0 || nameBefore ? parser.currentTokenLocation().getLineNr() : known;
  }

  private void add(TokenBatch batch, JsonToken token, int lineOffset) throws IOException {
    if (cells == null) {
      line = tokenLine(token);
      batch.line(lineOffset + line);
    } else if (!cells.isRead(token)) {
      return;
    } else if (token == JsonToken.START_OBJECT) {
      learnColumns(batch);
      batch.line(lineOffset + currentLine());
    }
    switch (token) {
      case START_OBJECT -> batch.add(TokenBatch.START_OBJECT);
      case END_OBJECT -> batch.add(TokenBatch.END_OBJECT);
      case START_ARRAY -> batch.add(TokenBatch.START_ARRAY);
      case END_ARRAY -> {
        batch.add(TokenBatch.END_ARRAY);
        if (folded) {
          fold(batch);
        }
      }
      case FIELD_NAME -> batch.addName(parser.currentName());
      case VALUE_STRING -> addText(batch, TokenBatch.TEXT);
      case VALUE_NUMBER_INT -> addWhole(batch);
      case VALUE_NUMBER_FLOAT -> addText(batch, TokenBatch.DECIMAL);
      case VALUE_TRUE -> batch.add(TokenBatch.TRUE);
      case VALUE_FALSE -> batch.add(TokenBatch.FALSE);
      case VALUE_NULL -> batch.add(TokenBatch.NULL);
      default -> throw new IllegalStateException("no token of a text: " + token);
    }
  }

  /** A table's parser knows its columns once it has been asked for a row. */
  private void learnColumns(TokenBatch batch) {
    if (cells != null && batch.columns().isEmpty()) {
      batch.columns(cells.columns());
    }
  }

  private void addText(TokenBatch batch, byte kind) throws IOException {
    char[] characters = parser.getTextCharacters();
    int start = parser.getTextOffset();
    int length = parser.getTextLength();
    for (int i = start; cells != null && i < start + length; i++) {
      if (characters[i] == RowParsers.REPLACEMENT) {
        throw new CharConversionException();
      }
    }
    batch.addText(kind, characters, start, length);
  }

  private void addWhole(TokenBatch batch) throws IOException {
    if (parser.getNumberType() != JsonParser.NumberType.BIG_INTEGER) {
      batch.add(TokenBatch.WHOLE, parser.getLongValue());
      return;
    }
    String text = parser.getText();
    try {
      batch.add(TokenBatch.UNSIGNED, Long.parseUnsignedLong(text));
    } catch (NumberFormatException e) {
      addText(batch, TokenBatch.WHOLE_TEXT);
    }
  }

  /** Not inside of what may become a run. */
  private boolean mayEnd(TokenBatch batch) {
    boolean open = false;
    for (int i = Math.max(0, batch.size() - 3); folded && i < batch.size(); i++) {
      open |= batch.kind(i) == TokenBatch.START_ARRAY;
    }
    return !open;
  }

  /** Two plain numbers in an array inside an array are a run, and nothing else is. */
  private void fold(TokenBatch batch) {
    int end = batch.size() - 1;
    if (end < 3
        || !parser.getParsingContext().inArray()
        || batch.kind(end - 1) != TokenBatch.WHOLE
        || batch.kind(end - 2) != TokenBatch.WHOLE
        || batch.kind(end - 3) != TokenBatch.START_ARRAY) {
      return;
    }
    long first = batch.whole(end - 2);
    long length = batch.whole(end - 1);
    if (first >= 0
        && first <= RunFolding.MAX_NUMBER
        && length > 0
        && length <= RunFolding.MAX_NUMBER) {
      batch.foldLast((int) first, (int) length);
    }
  }
}

package io.orrery.traces;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.dataformat.csv.CsvSchema;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * How a text is to be parsed.
 *
 * @param table whether it is comma-separated values under a header, else JSON
 * @param folded whether it passes through {@link RunFolding}
 * @param keysOnce whether a key that comes twice in an object, or a column twice in a table, is an
 *     error
 * @param byRecord whether each record is parsed by itself, so that a bad one can be left out; what
 *     is kept aside must look as it was written, so that nothing is folded
 */
record TextForm(boolean table, boolean folded, boolean keysOnce, boolean byRecord) {
  /** JSON as it is. */
  static final TextForm JSON = new TextForm(false, false, false, false);

  /** A table as it is. */
  static final TextForm TABLE = new TextForm(true, false, false, false);

  /** The same of a table, which is never folded. */
  TextForm ofTable() {
    return new TextForm(true, false, keysOnce, byRecord);
  }

  /**
   * The tokens of a text as they are asked for.
   *
   * @param lineOffset lines before the text's first
   */
  Tokens.Source tokens(InputStream text, long lineOffset) throws IOException {
    return byRecord
        ? new RecordTokens(this, text, lineOffset)
        : new StreamTokens(tokenizer(text), lineOffset);
  }

  /** Makes tokens of a text, or of a part of one that parses by itself. */
  Tokenizer tokenizer(InputStream text) throws IOException {
    return tokenizer(
        table ? RowParsers.table(text) : RowParsers.json(folded ? new RunFolding(text) : text));
  }

  /**
   * Makes tokens of one record, which is not folded.
   *
   * @param columns those of a table, null of JSON
   */
  Tokenizer tokenizer(byte[] record, @Nullable CsvSchema columns) throws IOException {
    return tokenizer(columns == null ? RowParsers.json(record) : RowParsers.table(record, columns));
  }

  /** Makes tokens of parts of a text that are plain. */
  PlainTokens plainTokens() {
    return new PlainTokens(keysOnce);
  }

  private Tokenizer tokenizer(JsonParser parser) {
    if (keysOnce) {
      parser.enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION);
    }
    return new Tokenizer(parser, folded);
  }
}

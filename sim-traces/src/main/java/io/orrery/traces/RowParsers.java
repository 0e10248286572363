package io.orrery.traces;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.dataformat.csv.CsvFactory;
import com.fasterxml.jackson.dataformat.csv.CsvParser;
import com.fasterxml.jackson.dataformat.csv.CsvSchema;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.StringReader;

/** Makes parsers for JSON and for tables, with the limits that hold for all trace files. */
final class RowParsers {
  static final int MAX_DEPTH = 100;

  /** Characters of a number, of a string and of a key. */
  static final int MAX_DIGITS = 400;

  static final int MAX_TEXT = 20_000_000;
  static final int MAX_NAME = 50_000;

  /** Stands for bytes of a table that are not UTF-8. */
  static final char REPLACEMENT = '\ufffd';

  private static final StreamReadConstraints LIMITS =
      StreamReadConstraints.builder()
          .maxNestingDepth(MAX_DEPTH)
          .maxNumberLength(MAX_DIGITS)
          .maxStringLength(MAX_TEXT)
          .maxNameLength(MAX_NAME)
          .build();

  private static final JsonFactory JSON =
      JsonFactory.builder()
          .streamReadConstraints(LIMITS)
          .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
          .build();

  private RowParsers() {}

  static JsonParser json(InputStream in) throws IOException {
    return JSON.createParser(in);
  }

  static JsonParser json(byte[] text) throws IOException {
    return JSON.createParser(text);
  }

  /**
   * Rows of comma-separated values as objects; the first row names the columns. What is not UTF-8
   * becomes {@link #REPLACEMENT}.
   */
  static CsvParser table(InputStream in) throws IOException {
    Reader text = new InputStreamReader(in, UTF_8);
    return table(Tables.FACTORY.createParser(text), Tables.NAMED_BY_HEADER);
  }

  /** The same, for a row whose columns are known. */
  static CsvParser table(byte[] row, CsvSchema columns) throws IOException {
    Reader text = new StringReader(new String(row, UTF_8));
    return table(Tables.FACTORY.createParser(text), columns.withoutHeader());
  }

  private static CsvParser table(CsvParser parser, CsvSchema columns) {
    parser.setSchema(columns);
    return parser;
  }

  /** Loaded only where there is a table. */
  private static final class Tables {
    static final CsvSchema NAMED_BY_HEADER =
        CsvSchema.emptySchema().withHeader().withAnyPropertyName(RowCells.BEHIND_THE_LAST);

    static final CsvFactory FACTORY =
        CsvFactory.builder()
            .streamReadConstraints(LIMITS)
            .enable(CsvParser.Feature.TRIM_SPACES)
            .enable(CsvParser.Feature.SKIP_EMPTY_LINES)
            .enable(CsvParser.Feature.EMPTY_STRING_AS_NULL)
            .disable(CsvParser.Feature.ALLOW_TRAILING_COMMA)
            .build();
  }
}

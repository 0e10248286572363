package io.orrery.traces;

import com.fasterxml.jackson.dataformat.csv.CsvParser;
import com.fasterxml.jackson.dataformat.csv.CsvSchema;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** The tokens of records that are parsed one by one, so that a bad one can be left out. */
final class RecordTokens implements Tokens.Source {
  private static final int USUAL = 1 << 8;

  private final TextForm form;
  private final LineFeed records;
  private final PlainTokens plain;
  private final long lineOffset;
  private final TokenBatch batch = new TokenBatch(USUAL);
  private @Nullable CsvSchema header;

  /**
   * Tokens of a text.
   *
   * @param lineOffset lines before it
   */
  RecordTokens(TextForm form, InputStream text, long lineOffset) {
    this.form = form;
    this.lineOffset = lineOffset;
    records = new LineFeed(text, form.table());
    plain = form.plainTokens();
  }

  @Override
  public @Nullable TokenBatch next() throws IOException {
    batch.clear();
    return add(batch) ? batch : null;
  }

  /**
   * Adds the tokens of all records of a piece.
   *
   * @return whether they are those of the text, and no row of a table goes on behind the piece
   */
  static boolean addAll(TextForm form, TextPiece piece, TokenBatch to) throws IOException {
    boolean whole = true;
    try (RecordTokens tokens = new RecordTokens(form, piece.open(), 0)) {
      boolean more = true;
      while (more) {
        more = tokens.add(to);
      }
      whole = piece.last() || !form.table() || !tokens.records.endedOpen();
    } catch (IOException | RuntimeException e) {
      to.addEnd(e);
    }
    to.end(1 + piece.headerLines() + piece.lineBreaks());
    return whole;
  }

  /** Adds the tokens of the next record; false where there is none. */
  private boolean add(TokenBatch to) throws IOException {
    if (!records.next()) {
      return false;
    }
    if (form.table() && header == null) {
      learnColumns(to, records.bytes());
      return add(to);
    }
    int line = Math.toIntExact(records.number());
    to.line(line);
    to.add(TokenBatch.RECORD);
    byte[] record = records.bytes();
    if (form.table() || !plain.addAll(record, record.length, line, to)) {
      try (Tokenizer tokenizer = form.tokenizer(record, header)) {
        tokenizer.fill(to, Integer.MAX_VALUE, line - 1);
      }
    }
    return true;
  }

  @Override
  public long lineOffset() {
    return lineOffset;
  }

  /** The record read last. */
  @Override
  public String recordText(int line) {
    return records.text();
  }

  @Override
  public void close() throws IOException {
    records.close();
  }

  private void learnColumns(TokenBatch to, byte[] line) throws IOException {
    try (CsvParser names = RowParsers.table(new ByteArrayInputStream(line))) {
      RowCells cells = new RowCells(names);
      try {
        names.nextToken();
      } catch (IOException e) {
        BadRowException bad = cells.inOwnWords(e);
        // No record: without it there are none.
        throw new IOException("its header: " + (bad == null ? e : bad).getMessage(), e);
      }
      header = names.getSchema();
      to.columns(cells.columns());
    }
  }
}

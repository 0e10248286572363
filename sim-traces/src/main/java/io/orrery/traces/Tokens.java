package io.orrery.traces;

import com.fasterxml.jackson.core.JsonToken;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the tokens of a text one after the other, whoever made them. What is wrong with the text is
 * thrown where it is come to.
 */
final class Tokens implements Closeable {
  private static final TokenBatch NOTHING = new TokenBatch(0);

  private final Source source;
  private TokenBatch batch = NOTHING;

  /** The current entry: -1 before the first one, the batch's size behind the last one. */
  private int at = -1;

  private @Nullable JsonToken current;

  /** The current number, where it is whole. */
  private long whole;

  /** Numbers of the current run that come after this one. */
  private int left;

  /** The line with which the record begins that is being read, within the batch; 0 for none. */
  private int recordLine;

  /** Where batches come from. */
  interface Source extends Closeable {
    /**
     * The next tokens, null behind the last ones. The batch before may be used again.
     *
     * @throws IOException where a text cannot be read
     */
    @Nullable TokenBatch next() throws IOException;

    /** Lines of the text before those of the batch that came last. */
    long lineOffset();

    /**
     * The text of a record that begins with a line of the batch that came last; empty where records
     * are not parsed one by one.
     */
    String recordText(int line) throws IOException;
  }

  Tokens(Source source) {
    this.source = source;
  }

  /** Moves to the next token; null behind the last one, of the record if there are records. */
  @Nullable JsonToken next() throws IOException {
    if (left > 0) {
      left--;
      whole++;
      return current;
    }
    if (++at >= batch.size() && !advance()) {
      current = null;
      return null;
    }
    byte kind = batch.kind(at);
    if (kind >= TokenBatch.FAILURE) {
      return stop(kind);
    }
    current = TokenBatch.token(kind);
    if (current == JsonToken.VALUE_NUMBER_INT) {
      whole = batch.whole(at);
      left = batch.length(at) - 1;
    }
    return current;
  }

  /** Stays where it is: nothing comes behind a failure, or before the next record is asked for. */
  private @Nullable JsonToken stop(byte kind) throws IOException {
    int here = at--;
    current = null;
    if (kind == TokenBatch.RECORD) {
      return null;
    }
    Exception failure = batch.failure(here);
    if (failure instanceof IOException exception) {
      throw exception;
    }
    throw (RuntimeException) failure;
  }

  /** Moves behind the last token of the record. */
  void leaveRecord() {
    left = 0;
    current = null;
    while (at + 1 < batch.size() && batch.kind(at + 1) != TokenBatch.RECORD) {
      at++;
    }
  }

  /** Moves from behind a record to the next one; false where there is none. */
  boolean nextRecord() throws IOException {
    leaveRecord();
    recordLine = 0;
    if (++at >= batch.size() && !advance()) {
      return false;
    }
    if (batch.textEnds(at)) {
      next();
    }
    recordLine = batch.lineOf(at);
    return true;
  }

  /** The text of the record, empty where records are not parsed one by one. */
  String recordText() throws IOException {
    return source.recordText(recordLine);
  }

  /** The line with which the record begins, 1-based; 0 where none is being read. */
  long recordLine() {
    return recordLine == 0 ? 0 : source.lineOffset() + recordLine;
  }

  /** Moves to the next field of an object; null at its end. */
  @Nullable String nextName() throws IOException {
    return next() == JsonToken.FIELD_NAME ? batch.name(at) : null;
  }

  /** The current token, null before the first and behind the last one. */
  @Nullable JsonToken current() {
    return current;
  }

  /** Moves to the end of the current object or array; does nothing at anything else. */
  void skipChildren() throws IOException {
    if (current != JsonToken.START_OBJECT && current != JsonToken.START_ARRAY) {
      return;
    }
    for (int open = 1; open > 0; ) {
      left = 0;
      JsonToken token = next();
      if (token == null) {
        return;
      }
      open += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
    }
  }

  /** Whether the current number is whole and a long. */
  boolean isLong() {
    byte kind = batch.kind(at);
    return kind == TokenBatch.WHOLE || kind == TokenBatch.RUN;
  }

  /** Whether the current number is whole and has 64 bits, signed or not. */
  boolean has64Bits() {
    return isLong() || batch.kind(at) == TokenBatch.UNSIGNED;
  }

  /** The 64 bits of the current number. */
  long whole() {
    return whole;
  }

  /** How many numbers begin here, each one more than the one before; all are passed over. */
  int takeRun() {
    int taken = left + 1;
    left = 0;
    return taken;
  }

  /** Whether the current number is none, or infinite. */
  boolean isNaN() {
    int first = batch.textStart(at);
    return batch.kind(at) == TokenBatch.DECIMAL
        && (isLetter(first) || (batch.textLength(at) > 1 && isLetter(first + 1)));
  }

  private boolean isLetter(int index) {
    char c = batch.characters()[index];
    return c == 'I' || c == 'N';
  }

  /** Holds the characters of the current string, or of a number without 64 bits. */
  char[] characters() {
    return batch.characters();
  }

  int textStart() {
    return batch.textStart(at);
  }

  int textLength() {
    return batch.textLength(at);
  }

  /** The current token as it would be written, strings without their quotes. */
  String text() {
    JsonToken token = current;
    if (token == null) {
      return "";
    }
    return switch (batch.kind(at)) {
      case TokenBatch.NAME -> batch.name(at);
      case TokenBatch.WHOLE, TokenBatch.RUN -> Long.toString(whole);
      case TokenBatch.UNSIGNED -> Long.toUnsignedString(whole);
      case TokenBatch.TEXT, TokenBatch.WHOLE_TEXT, TokenBatch.DECIMAL ->
          new String(batch.characters(), batch.textStart(at), batch.textLength(at));
      default -> String.valueOf(token.asString());
    };
  }

  /** Of a table, the names of its columns, once there has been a token. */
  List<String> columns() {
    return batch.columns();
  }

  /** The line of the current token, 1-based; behind the last one the text's last. */
  long line() {
    int here = current == null ? at + 1 : at;
    return source.lineOffset() + (here < batch.size() ? batch.lineOf(here) : batch.endLine());
  }

  /** Lines before the first that the parser of the current token has read. */
  long parserOffset() {
    return source.lineOffset() + Math.max(0, recordLine - 1);
  }

  @Override
  public void close() throws IOException {
    source.close();
  }

  private boolean advance() throws IOException {
    do {
      at = batch.size();
      TokenBatch next = source.next();
      if (next == null) {
        return false;
      }
      batch = next;
      at = 0;
    } while (batch.size() == 0);
    return true;
  }
}

package io.orrery.traces;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Makes tokens of JSON objects that are written as most traces are: in ASCII, strings without
 * escapes, names not too long and not too many. It takes a third of a parser's time for them. All
 * else, mistakes included, it leaves to {@link Tokenizer}, which gives the same tokens of these.
 * Numbers {@code n, n + 1, ...} of an array, in one line, are one entry.
 */
final class PlainTokens {
  private static final int MOST_DEPTH = RowParsers.MAX_DEPTH / 2;
  private static final int MOST_CHARACTERS = 1 << 20;
  private static final int MOST_DIGITS = 40;

  /** Digits of any number that an {@code int} holds. */
  private static final int INT_DIGITS = 9;

  /** Digits of any number that a {@code long} holds. */
  private static final int LONG_DIGITS = 18;

  private static final long SMALLEST_OF_20_DIGITS = Long.parseUnsignedLong("10000000000000000000");

  private static final int WORD_BYTES = Long.BYTES;

  /** Two numbers, what stands behind them, and a word. */
  private static final int LOOK_AHEAD = 2 * (INT_DIGITS + 2) + WORD_BYTES;

  /** Eight bytes of text, the first of them lowest. */
  private static final VarHandle WORD =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final byte[] NOTHING = {};

  private final PlainNames names;
  private byte[] text = NOTHING;
  private int end;
  private TokenBatch batch = new TokenBatch(0);
  private int at;
  private int line;

  /** The line that the batch knows. */
  private int lineSaid;

  // the run of numbers that has not been added yet
  private int first;
  private int length;

  /**
   * For texts of a file.
   *
   * @param keysOnce whether a text is not plain in which an object has a key twice
   */
  PlainTokens(boolean keysOnce) {
    names = new PlainNames(keysOnce);
  }

  /**
   * Adds the tokens of a text.
   *
   * @param bytes holds the text at [0, bytesLength)
   * @param firstLine its first line, 1-based
   * @return whether all of it is plain; if not, nothing has been added
   */
  boolean addAll(byte[] bytes, int bytesLength, int firstLine, TokenBatch to) {
    TokenBatch.Mark before = to.mark();
    text = bytes;
    end = bytesLength;
    line = firstLine;
    lineSaid = 0;
    at = 0;
    batch = to;
    names.enterText();
    boolean plain = true;
    while (plain && skipSpace() >= 0) {
      plain = text[at] == '{' && object(1);
    }
    if (plain && at == end) {
      to.end(line);
      return true;
    }
    to.backTo(before);
    return false;
  }

  /** Moves to what is no white space; returns it, -1 at the end and for what is not plain. */
  private int skipSpace() {
    while (at < end) {
      byte c = text[at];
      if (c > ' ') {
        return c;
      }
      if (c == '\n') {
        line++;
      } else if (c == '\r') {
        if (at + 1 == end || text[at + 1] != '\n') {
          return -1;
        }
      } else if (c != ' ' && c != '\t') {
        return -1;
      }
      at++;
    }
    return -1;
  }

  private void add(byte kind) {
    add(kind, 0);
  }

  private void add(byte kind, long value) {
    sayLine();
    batch.add(kind, value);
  }

  private void sayLine() {
    if (line != lineSaid) {
      batch.line(line);
      lineSaid = line;
    }
  }

  /** Reads an object from its brace on. */
  private boolean object(int depth) {
    add(TokenBatch.START_OBJECT);
    at++;
    int c = skipSpace();
    if (c == '}') {
      return closed(TokenBatch.END_OBJECT);
    }
    int outer = names.enterObject();
    while (c == '"') {
      String name = names.at(text, at + 1, end);
      if (name == null) {
        return false;
      }
      sayLine();
      batch.addName(name);
      at += name.length() + 2;
      if (skipSpace() != ':') {
        return false;
      }
      at++;
      if (!value(skipSpace(), depth)) {
        return false;
      }
      c = skipSpace();
      if (c == '}') {
        names.leaveObject(outer);
        return closed(TokenBatch.END_OBJECT);
      }
      if (c != ',') {
        return false;
      }
      at++;
      c = skipSpace();
    }
    return false;
  }

  private boolean closed(byte kind) {
    add(kind);
    at++;
    return true;
  }

  private boolean value(int c, int depth) {
    return switch (c) {
      case '"' -> string();
      case '{' -> depth < MOST_DEPTH && object(depth + 1);
      case '[' -> depth < MOST_DEPTH && array(depth + 1);
      case 't' -> word("true", TokenBatch.TRUE);
      case 'f' -> word("false", TokenBatch.FALSE);
      case 'n' -> word("null", TokenBatch.NULL);
      default -> (c == '-' || isDigit(c)) && number();
    };
  }

  private boolean word(String word, byte kind) {
    int stop = at + word.length();
    if (stop >= end) {
      return false;
    }
    for (int i = 0; i < word.length(); i++) {
      if (text[at + i] != word.charAt(i)) {
        return false;
      }
    }
    add(kind);
    at = stop;
    return endsValue(text[at]);
  }

  private boolean string() {
    int start = at + 1;
    int i = start;
    while (i < end && PlainNames.isPlain(text[i])) {
      i++;
    }
    if (i >= end || text[i] != '"' || i - start > MOST_CHARACTERS) {
      return false;
    }
    sayLine();
    batch.addText(TokenBatch.TEXT, text, start, i - start);
    at = i + 1;
    return true;
  }

  private boolean array(int depth) {
    add(TokenBatch.START_ARRAY);
    at++;
    int c = skipSpace();
    if (c == ']') {
      return closed(TokenBatch.END_ARRAY);
    }
    while ((isDigit(c) && numbers()) || value(c, depth)) {
      c = skipSpace();
      if (c == ']') {
        return closed(TokenBatch.END_ARRAY);
      }
      if (c != ',') {
        return false;
      }
      at++;
      c = skipSpace();
    }
    return false;
  }

  /**
   * Reads numbers of an array as long as they are small, in one line, and nothing but a comma and
   * at most one space is between them; false where not even the first is so.
   */
  private boolean numbers() {
    int behind = at;
    length = 0;
    for (int i = at; i < end - LOOK_AHEAD && isDigit(text[i]); ) {
      int start = i;
      int value = 0;
      int digit = text[i] - '0';
      while ((char) digit <= 9 && i - start < INT_DIGITS) {
        value = value * 10 + digit;
        digit = text[++i] - '0';
      }
      boolean zeros = text[start] == '0' && i > start + 1;
      if (zeros || (text[i] != ',' && text[i] != ']')) {
        break;
      }
      if (length == 0 || value != first + length) {
        addRun();
        first = value;
      }
      length++;
      behind = i;
      if (text[i] == ',') {
        int gap = text[i + 1] == ' ' ? 2 : 1;
        i = followers(i + gap, i + gap - start, gap);
        behind = i - gap;
      }
    }
    boolean some = length > 0;
    addRun();
    at = behind;
    return some;
  }

  /**
   * Counts numbers as long as the next one's text is the last one's with its last digit one higher,
   * which in a run is so nine times out of ten; eight bytes are compared at once.
   *
   * @param from where the next number begins
   * @param width digits of a number and what stands behind it
   * @param gap what stands behind it: a comma, and perhaps a space
   * @return where the first number begins that is not like that
   */
  private int followers(int from, int width, int gap) {
    int ends = Math.max(0, width - WORD_BYTES);
    int unused = Math.max(0, WORD_BYTES - width) * Byte.SIZE;
    long lastDigit = 1L << ((WORD_BYTES - 1 - gap) * Byte.SIZE);
    if (from < WORD_BYTES) {
      return from;
    }
    long word = (long) WORD.get(text, from - WORD_BYTES) >>> unused << unused;
    int i = from;
    while (i < end - LOOK_AHEAD && text[i - 1 - gap] != '9') {
      word += lastDigit;
      long next = (long) WORD.get(text, i + width - WORD_BYTES) >>> unused << unused;
      if (next != word || !repeats(i, i + ends, width)) {
        break;
      }
      i += width;
      length++;
    }
    return i;
  }

  /** Whether the bytes at [from, to) are those so many bytes before. */
  private boolean repeats(int from, int to, int distance) {
    int i = from;
    while (i < to && text[i] == text[i - distance]) {
      i++;
    }
    return i == to;
  }

  private void addRun() {
    if (length == 1) {
      add(TokenBatch.WHOLE, first);
    } else if (length > 1) {
      sayLine();
      batch.addRun(first, length);
    }
    length = 0;
  }

  /** Reads any number that is plain. */
  private boolean number() {
    int start = at;
    boolean negative = text[start] == '-';
    int from = negative ? start + 1 : start;
    int i = from;
    long value = 0;
    while (i < end && isDigit(text[i]) && i - from <= LONG_DIGITS + 2) {
      value = value * 10 + (text[i++] - '0');
    }
    int digits = i - from;
    if (i >= end || digits == 0 || (text[from] == '0' && digits > 1)) {
      return false;
    }
    at = i;
    if (!endsValue(text[i])) {
      return decimal(start, i);
    }
    if (digits <= LONG_DIGITS || (digits == LONG_DIGITS + 1 && value >= 0)) {
      add(TokenBatch.WHOLE, negative ? -value : value);
      return true;
    }
    if (negative || !has64Bits(value, digits, text[from])) {
      return false;
    }
    add(TokenBatch.UNSIGNED, value);
    return true;
  }

  /**
   * Whether a number of 19 digits or more has 64 bits. Of 20 digits the first is a one then, and
   * what is left of a number with more bits is smaller than any of 20 digits.
   *
   * @param value its lowest 64 bits
   */
  private static boolean has64Bits(long value, int digits, byte firstDigit) {
    return digits == LONG_DIGITS + 1
        || (digits == LONG_DIGITS + 2
            && firstDigit == '1'
            && Long.compareUnsigned(value, SMALLEST_OF_20_DIGITS) >= 0);
  }

  /** Reads on where a whole number goes on as a decimal. */
  private boolean decimal(int start, int behindDigits) {
    int i = behindDigits;
    if (text[i] == '.') {
      int stop = digitsEnd(i + 1);
      if (stop == i + 1) {
        return false;
      }
      i = stop;
    }
    if (i < end && (text[i] == 'e' || text[i] == 'E')) {
      int from = i + 1 < end && (text[i + 1] == '-' || text[i + 1] == '+') ? i + 2 : i + 1;
      i = digitsEnd(from);
      if (i == from) {
        return false;
      }
    }
    if (i >= end || i - start > MOST_DIGITS || !endsValue(text[i])) {
      return false;
    }
    sayLine();
    batch.addText(TokenBatch.DECIMAL, text, start, i - start);
    at = i;
    return true;
  }

  private int digitsEnd(int from) {
    int i = from;
    while (i < end && isDigit(text[i])) {
      i++;
    }
    return i;
  }

  private static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }

  private static boolean endsValue(byte c) {
    return c == ',' || c == '}' || c == ']' || c == ' ' || c == '\n' || c == '\r' || c == '\t';
  }
}

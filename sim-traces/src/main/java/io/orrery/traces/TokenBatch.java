package io.orrery.traces;

import com.fasterxml.jackson.core.JsonToken;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Tokens of a JSON text or a table, in arrays: what {@link Tokenizer} has made of a part of a text,
 * whole records or not, to be read by {@link Tokens} later and in another thread. A run of whole
 * numbers {@code n, n + 1, ...} in an array may be one entry.
 */
final class TokenBatch {
  // kinds; the first are tokens that are all there is to know
  static final byte START_OBJECT = 0;
  static final byte END_OBJECT = 1;
  static final byte START_ARRAY = 2;
  static final byte END_ARRAY = 3;
  static final byte TRUE = 4;
  static final byte FALSE = 5;
  static final byte NULL = 6;

  /** The name of a field. */
  static final byte NAME = 7;

  /** A string, by its characters. */
  static final byte TEXT = 8;

  /** A whole number that is a long. */
  static final byte WHOLE = 9;

  /** A whole number from 2^63 to 2^64 - 1. */
  static final byte UNSIGNED = 10;

  /** Whole numbers in order. */
  static final byte RUN = 11;

  /** Any other whole number, by its characters. */
  static final byte WHOLE_TEXT = 12;

  /** Any other number, by its characters; also NaN and infinity. */
  static final byte DECIMAL = 13;

  /** No token: what the parser said instead of one. */
  static final byte FAILURE = 14;

  /** No token: here a record begins that was parsed by itself. */
  static final byte RECORD = 15;

  private static final long TEXT_ENDS = 1;
  private static final int LEAST = 1 << 6;

  private static final JsonToken[] TOKENS = {
    JsonToken.START_OBJECT,
    JsonToken.END_OBJECT,
    JsonToken.START_ARRAY,
    JsonToken.END_ARRAY,
    JsonToken.VALUE_TRUE,
    JsonToken.VALUE_FALSE,
    JsonToken.VALUE_NULL,
    JsonToken.FIELD_NAME,
    JsonToken.VALUE_STRING,
    JsonToken.VALUE_NUMBER_INT,
    JsonToken.VALUE_NUMBER_INT,
    JsonToken.VALUE_NUMBER_INT,
    JsonToken.VALUE_NUMBER_INT,
    JsonToken.VALUE_NUMBER_FLOAT,
  };

  private byte[] kinds;

  /** Of a number itself; of a run and of texts, two halves. */
  private long[] values;

  private int size;

  private String[] names = new String[64];
  private int nameCount;
  private char[] characters = new char[256];
  private int characterCount;

  /** The tokens with which a new line begins, and those lines, 1-based. */
  private int[] lineStarts = new int[16];

  private int[] lines = new int[16];
  private int lineCount;

  private final List<Exception> failures = new ArrayList<>();
  private int endLine = 1;
  private List<String> columns = List.of();

  TokenBatch(int tokens) {
    kinds = new byte[tokens];
    values = new long[tokens];
  }

  /** What is in a batch at some time. */
  record Mark(int size, int names, int characters, int lines) {}

  Mark mark() {
    return new Mark(size, nameCount, characterCount, lineCount);
  }

  /** Forgets what has been added since. */
  void backTo(Mark mark) {
    size = mark.size();
    nameCount = mark.names();
    characterCount = mark.characters();
    lineCount = mark.lines();
  }

  /** Number of entries. */
  int size() {
    return size;
  }

  /** Forgets all but the columns. */
  void clear() {
    size = 0;
    nameCount = 0;
    characterCount = 0;
    lineCount = 0;
    failures.clear();
  }

  void add(byte kind) {
    add(kind, 0);
  }

  void add(byte kind, long value) {
    if (size == kinds.length) {
      int most = Math.max(LEAST, 2 * size);
      kinds = Arrays.copyOf(kinds, most);
      values = Arrays.copyOf(values, most);
    }
    kinds[size] = kind;
    values[size++] = value;
  }

  void addName(String name) {
    if (nameCount == names.length) {
      names = Arrays.copyOf(names, 2 * nameCount);
    }
    names[nameCount] = name;
    add(NAME, nameCount++);
  }

  void addText(byte kind, char[] source, int start, int length) {
    reserveCharacters(length);
    System.arraycopy(source, start, characters, characterCount, length);
    add(kind, halves(characterCount, length));
    characterCount += length;
  }

  /** Adds a text of ASCII characters. */
  void addText(byte kind, byte[] source, int start, int length) {
    reserveCharacters(length);
    for (int i = 0; i < length; i++) {
      characters[characterCount + i] = (char) source[start + i];
    }
    add(kind, halves(characterCount, length));
    characterCount += length;
  }

  private void reserveCharacters(int length) {
    if (characterCount + length > characters.length) {
      int most = Math.max(2 * characters.length, Math.addExact(characterCount, length));
      characters = Arrays.copyOf(characters, most);
    }
  }

  /** Adds so many numbers in order, of which the first is not negative. */
  void addRun(int first, int length) {
    add(RUN, halves(first, length));
  }

  /** Makes the last four entries, an array of two numbers, the run that it stands for. */
  void foldLast(int first, int length) {
    size -= 4;
    addRun(first, length);
  }

  /** Says in which line the next token begins. */
  void line(int line) {
    if (lineCount > 0 && lines[lineCount - 1] == line) {
      return;
    }
    if (lineCount == lines.length) {
      lines = Arrays.copyOf(lines, 2 * lineCount);
      lineStarts = Arrays.copyOf(lineStarts, 2 * lineCount);
    }
    lineStarts[lineCount] = size;
    lines[lineCount++] = line;
  }

  /** Adds what is wrong with the text here. */
  void addFailure(Exception why) {
    failures.add(why);
    add(FAILURE, failures.size() - 1);
  }

  /** Adds what keeps the text behind the last record from being read. */
  void addEnd(Exception why) {
    add(RECORD, TEXT_ENDS);
    addFailure(why);
  }

  /** Whether no record begins here, but the text cannot be read on, as the next entry says. */
  boolean textEnds(int i) {
    return kinds[i] == RECORD && values[i] == TEXT_ENDS;
  }

  /** Says in which line the text ends. */
  void end(int line) {
    endLine = line;
  }

  /** The line behind the last token. */
  int endLine() {
    return endLine;
  }

  /** Of a table, the names of its columns. */
  void columns(List<String> names) {
    columns = names;
  }

  List<String> columns() {
    return columns;
  }

  byte kind(int i) {
    return kinds[i];
  }

  static JsonToken token(byte kind) {
    return TOKENS[kind];
  }

  Exception failure(int i) {
    return failures.get((int) values[i]);
  }

  /** A number's value, or the first of a run. */
  long whole(int i) {
    return kinds[i] == RUN ? values[i] >>> Integer.SIZE : values[i];
  }

  /** How many numbers an entry stands for. */
  int length(int i) {
    return kinds[i] == RUN ? (int) values[i] : 1;
  }

  String name(int i) {
    return names[(int) values[i]];
  }

  /** Holds the characters of a text. */
  char[] characters() {
    return characters;
  }

  int textStart(int i) {
    return (int) (values[i] >>> Integer.SIZE);
  }

  int textLength(int i) {
    return (int) values[i];
  }

  /** The line in which a token begins. */
  int lineOf(int i) {
    int low = 0;
    int high = lineCount;
    while (low < high) {
      int middle = (low + high) >>> 1;
      boolean before = lineStarts[middle] <= i;
      low = before ? middle + 1 : low;
      high = before ? high : middle;
    }
    return low == 0 ? 1 : lines[low - 1];
  }

  private static long halves(int high, int low) {
    return ((long) high << Integer.SIZE) | low;
  }
}

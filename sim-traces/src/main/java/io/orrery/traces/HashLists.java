package io.orrery.traces;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.exc.InputCoercionException;
import java.io.IOException;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/** Reads arrays of block hashes, of which most of a trace consists. */
final class HashLists {
  private static final String BITS_64 = "whole numbers of 64 bits";

  private final JsonRows rows;
  private final JsonParser parser;

  HashLists(JsonRows rows, JsonParser parser) {
    this.rows = rows;
    this.parser = parser;
  }

  /**
   * Adds an array of ints, which {@link RunFolding} may have folded, to a new list of runs and
   * returns their number; null counts as empty.
   */
  int intRuns(String field, RunColumn into) {
    into.startList();
    if (!rows.enter(field, JsonToken.START_ARRAY)) {
      return 0;
    }
    int count = 0;
    try {
      for (JsonToken token; (token = parser.nextToken()) != JsonToken.END_ARRAY; ) {
        int length = 1;
        int first;
        if (token == JsonToken.VALUE_NUMBER_INT) {
          first = parser.getIntValue();
        } else {
          first = foldedFirst(field, token, "whole numbers");
          length = foldedLength(field, "whole numbers");
        }
        into.add(first, length);
        count += length;
      }
      return count;
    } catch (InputCoercionException e) {
      throw rows.wrong(field, rows.found(), "whole numbers of 32 bits");
    } catch (IOException e) {
      throw rows.broken(e);
    }
  }

  /** Adds the hashes of a list that is a text. */
  boolean hashesInText(String field, String text, HashRuns into) {
    try (JsonParser list = RowParsers.json(text.getBytes(UTF_8))) {
      boolean fits = list.nextToken() == JsonToken.START_ARRAY;
      JsonToken token = list.nextToken();
      while (fits && token == JsonToken.VALUE_NUMBER_INT) {
        BigInteger value = list.getBigIntegerValue();
        fits =
            value.bitLength() < Long.SIZE || (value.signum() > 0 && value.bitLength() == Long.SIZE);
        into.add(value.longValue());
        token = list.nextToken();
      }
      if (fits && token == JsonToken.END_ARRAY && list.nextToken() == null) {
        return true;
      }
    } catch (IOException e) {
      // No list, as below.
    }
    throw rows.wrong(
        field, "the string \"" + text + '"', "whole numbers of 64 bits in brackets, [1, 2, 3]");
  }

  /** Adds an array of 64-bit hashes, signed or unsigned; false for null. */
  boolean hashes(String field, HashRuns into) {
    if (!rows.enter(field, JsonToken.START_ARRAY)) {
      return false;
    }
    try {
      for (JsonToken token; (token = parser.nextToken()) != JsonToken.END_ARRAY; ) {
        if (token == JsonToken.VALUE_NUMBER_INT) {
          into.add(
              parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER
                  ? unsigned(field)
                  : parser.getLongValue());
        } else {
          int first = foldedFirst(field, token, BITS_64);
          int length = foldedLength(field, BITS_64);
          into.add(first, length);
        }
      }
      return true;
    } catch (InputCoercionException e) {
      throw rows.wrong(field, "an array", BITS_64);
    } catch (IOException e) {
      throw rows.broken(e);
    }
  }

  /**
   * First number of a run; what {@link RunFolding} would not have written is the file's mistake.
   */
  private int foldedFirst(String field, @Nullable JsonToken token, String expected)
      throws IOException {
    if (token != JsonToken.START_ARRAY) {
      throw rows.wrong(field, rows.found(), expected);
    }
    if (!rows.isFolded() || parser.nextToken() != JsonToken.VALUE_NUMBER_INT) {
      throw rows.wrong(field, "an array", expected);
    }
    return plain(field, expected, 0);
  }

  private int foldedLength(String field, String expected) throws IOException {
    if (parser.nextToken() != JsonToken.VALUE_NUMBER_INT) {
      throw rows.wrong(field, "an array", expected);
    }
    int length = plain(field, expected, 1);
    if (parser.nextToken() != JsonToken.END_ARRAY) {
      throw rows.wrong(field, "an array", expected);
    }
    return length;
  }

  private int plain(String field, String expected, int least) throws IOException {
    int value = parser.getIntValue();
    if (value < least || value > RunFolding.MAX_NUMBER) {
      throw rows.wrong(field, "an array", expected);
    }
    return value;
  }

  private long unsigned(String field) throws IOException {
    var value = parser.getBigIntegerValue();
    if (value.signum() < 0 || value.bitLength() > Long.SIZE) {
      throw rows.wrong(field, rows.found(), BITS_64);
    }
    return value.longValue();
  }
}

package io.orrery.traces;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.math.BigInteger;

/** Reads arrays of block hashes, of which most of a trace consists. */
final class HashLists {
  private static final String BITS_64 = "whole numbers of 64 bits";

  private final JsonRows rows;
  private final Tokens tokens;

  HashLists(JsonRows rows, Tokens tokens) {
    this.rows = rows;
    this.tokens = tokens;
  }

  /** Adds an array of ints to a new list of runs and returns their number; null counts as empty. */
  int intRuns(String field, RunColumn into) {
    into.startList();
    if (!rows.enter(field, JsonToken.START_ARRAY)) {
      return 0;
    }
    int count = 0;
    for (JsonToken token; (token = rows.nextElement()) != null; ) {
      if (token != JsonToken.VALUE_NUMBER_INT) {
        throw rows.wrong(field, rows.found(), "whole numbers");
      }
      if (!tokens.isLong() || tokens.whole() != (int) tokens.whole()) {
        throw rows.wrong(field, rows.found(), "whole numbers of 32 bits");
      }
      int first = (int) tokens.whole();
      int length = tokens.takeRun();
      into.add(first, length);
      count += length;
    }
    return count;
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
    for (JsonToken token; (token = rows.nextElement()) != null; ) {
      if (token != JsonToken.VALUE_NUMBER_INT || !tokens.has64Bits()) {
        throw rows.wrong(field, rows.found(), BITS_64);
      }
      long first = tokens.whole();
      into.add(first, tokens.takeRun());
    }
    return true;
  }
}

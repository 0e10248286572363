package io.orrery.traces;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.SplittableRandom;

/** Small damage to a file, drawn from a seed. */
public final class Mutations {
  private static final String[] PIECES = {
    "\"",
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "-",
    ".5",
    "e9",
    "0",
    "99999999999",
    "NaN",
    "null",
    "true",
    "\\",
    "\n",
    "\u0000",
    "\u00e9",
    "\"t\":",
    "\"requests\":[",
    "\"type\":\"subagent\",",
    "\"delay\":3,",
    "\"session_id\":\"a\","
  };

  private Mutations() {}

  /** A piece cut out, repeated, cut off, changed or put in. */
  public static byte[] mutated(byte[] bytes, SplittableRandom random) {
    int at = random.nextInt(bytes.length + 1);
    int until = Math.min(bytes.length, at + random.nextInt(12));
    return switch (random.nextInt(6)) {
      case 0 -> spliced(bytes, at, until, new byte[0]);
      case 1 -> spliced(bytes, at, at, Arrays.copyOfRange(bytes, at, until));
      case 2 -> Arrays.copyOf(bytes, random.nextInt(4) == 0 ? at : bytes.length);
      case 3 ->
          spliced(
              bytes, at, Math.min(bytes.length, at + 1), new byte[] {(byte) random.nextInt(256)});
      case 4 -> largeNumber(bytes, at);
      default -> spliced(bytes, at, at, PIECES[random.nextInt(PIECES.length)].getBytes(UTF_8));
    };
  }

  private static byte[] spliced(byte[] bytes, int from, int to, byte[] piece) {
    byte[] result = new byte[from + piece.length + bytes.length - to];
    System.arraycopy(bytes, 0, result, 0, from);
    System.arraycopy(piece, 0, result, from, piece.length);
    System.arraycopy(bytes, to, result, from + piece.length, bytes.length - to);
    return result;
  }

  /** The next digits replaced with the largest number that most fields accept. */
  private static byte[] largeNumber(byte[] bytes, int at) {
    int from = at;
    while (from < bytes.length && !isDigit(bytes[from])) {
      from++;
    }
    int to = from;
    while (to < bytes.length && isDigit(bytes[to])) {
      to++;
    }
    return spliced(bytes, from, to, from == to ? new byte[0] : "999999999".getBytes(UTF_8));
  }

  private static boolean isDigit(byte b) {
    return b >= '0' && b <= '9';
  }
}

package io.orrery.traces;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The names of fields, each of them made once. */
final class PlainNames {
  private static final int SLOTS = 256;

  /** More than these are data and no names. */
  private static final int MOST = SLOTS / 2;

  private static final int MOST_BYTES = 100;

  /** Of one object. */
  private static final int MOST_FIELDS = 64;

  private final boolean once;
  private final @Nullable String[] names = new String[SLOTS];
  private int count;

  /** Slots of the names of all objects that are open, and where those of the innermost begin. */
  private int[] open = new int[MOST_FIELDS];

  private int openCount;
  private int objectStart;

  /**
   * No names yet.
   *
   * @param once whether a name that comes twice in an object is not plain
   */
  PlainNames(boolean once) {
    this.once = once;
  }

  /** Begins a text. */
  void enterText() {
    openCount = 0;
    objectStart = 0;
  }

  /** Whether a byte of a string stands for itself and does not end it. */
  static boolean isPlain(byte c) {
    return c >= ' ' && c != '"' && c != '\\';
  }

  /** Begins an object; returns what is to be given back at its end. */
  int enterObject() {
    int outer = objectStart;
    objectStart = openCount;
    return outer;
  }

  void leaveObject(int outer) {
    openCount = objectStart;
    objectStart = outer;
  }

  /** The name that begins at a place of a text, behind its quote; null where it is not plain. */
  @Nullable String at(byte[] text, int start, int end) {
    int hash = 0;
    int i = start;
    while (i < end && isPlain(text[i])) {
      hash = 31 * hash + text[i++];
    }
    if (i >= end || text[i] != '"' || i - start > MOST_BYTES) {
      return null;
    }
    int slot = slot(text, start, i - start, hash);
    return slot < 0 || (once && !isNew(slot)) ? null : names[slot];
  }

  /** The slot of a name, -1 where there are too many. */
  private int slot(byte[] text, int start, int length, int hash) {
    int slot = (hash ^ (hash >>> 8)) & (SLOTS - 1);
    for (String known; (known = names[slot]) != null; slot = (slot + 1) & (SLOTS - 1)) {
      if (known.length() == length && isAt(known, text, start)) {
        return slot;
      }
    }
    if (count == MOST) {
      return -1;
    }
    count++;
    names[slot] = new String(text, start, length, US_ASCII).intern();
    return slot;
  }

  private static boolean isAt(String name, byte[] text, int start) {
    int i = 0;
    while (i < name.length() && text[start + i] == name.charAt(i)) {
      i++;
    }
    return i == name.length();
  }

  private boolean isNew(int slot) {
    for (int i = objectStart; i < openCount; i++) {
      if (open[i] == slot) {
        return false;
      }
    }
    if (openCount - objectStart == MOST_FIELDS) {
      return false;
    }
    if (openCount == open.length) {
      open = Arrays.copyOf(open, 2 * openCount);
    }
    open[openCount++] = slot;
    return true;
  }
}

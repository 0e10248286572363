package io.orrery.engine.cache;

import java.util.Arrays;

/**
 * The block prefixes in use, counted: how many distinct blocks they cover together, and how far a
 * further prefix would lie on them.
 *
 * <p>A key stands for a block and its whole prefix, so the prefixes form a forest, and it is kept
 * in segments of consecutive keys: a segment is found by its first key, and all its blocks are in
 * the same number of prefixes. Every operation costs a look-up or two per segment on the way,
 * however many blocks that is. A segment is split where a prefix ends or branches off inside it,
 * and joined with the next one again when a prefix that ran through both is taken away and left
 * nothing that tells them apart.
 */
public final class ActivePrefixes {
  /** By its first key: the number of a segment. */
  private final PagedBlockMap segmentAt = new PagedBlockMap();

  // By number of a segment, from 1 on.
  private int[] lengths = new int[16];
  private int[] users = new int[16];

  /** Numbers that were given back. */
  private int[] free = new int[16];

  private int freeCount;
  private int segments;
  private long blocks;

  /** Distinct blocks of all prefixes. */
  public long blocks() {
    return blocks;
  }

  /** Segments that the prefixes are kept in. */
  int segments() {
    return segments;
  }

  /** Whether a segment begins with the block of this key: true of first blocks in use. */
  public boolean isBeginning(long key) {
    return segmentAt.get(key) != 0;
  }

  /** How many of the first {@code limit} blocks of {@code keys} are leading blocks in use. */
  public int depth(BlockKeys keys, int limit) {
    int position = 0;
    while (position < limit) {
      long first = keys.keyAt(position);
      int segment = segmentAt.get(first);
      if (segment == 0) {
        break;
      }
      int length = lengths[segment];
      int matched = keys.matching(position, first, Math.min(length, limit - position));
      position += matched;
      if (matched < length) {
        break;
      }
    }
    return position;
  }

  /** Adds the prefix of the first {@code limit} blocks of {@code keys}. */
  public void add(BlockKeys keys, int limit) {
    extend(keys, 0, limit);
  }

  /** Makes a prefix of the first {@code from} blocks, which was added, one of {@code limit}. */
  public void extend(BlockKeys keys, int from, int limit) {
    // Where a prefix in use ends, a segment begins.
    int position = from;
    while (position < limit) {
      long first = keys.keyAt(position);
      int segment = segmentAt.get(first);
      int length;
      if (segment == 0) {
        length = keys.consecutive(position, limit - position);
        make(first, length, 1);
        blocks += length;
      } else {
        length = keys.matching(position, first, Math.min(lengths[segment], limit - position));
        if (length < lengths[segment]) {
          make(first + length, lengths[segment] - length, users[segment]);
          lengths[segment] = length;
        }
        users[segment]++;
      }
      position += length;
    }
  }

  /** Takes away a prefix that was added. */
  public void remove(BlockKeys keys, int limit) {
    int position = 0;
    int previous = 0;
    long previousEnd = 0;
    while (position < limit) {
      long first = keys.keyAt(position);
      int segment = segmentAt.get(first);
      if (segment == 0) {
        throw new IllegalStateException("block " + position + " of the prefix is not in use");
      }
      int length = lengths[segment];
      position += length;
      if (--users[segment] == 0) {
        giveUp(segment, first);
        blocks -= length;
        previous = 0;
      } else if (previous != 0 && users[segment] == users[previous] && first == previousEnd) {
        giveUp(segment, first);
        lengths[previous] += length;
        previousEnd += length;
      } else {
        previous = segment;
        previousEnd = first + length;
      }
    }
  }

  private void make(long first, int length, int prefixes) {
    segments++;
    int segment = freeCount > 0 ? free[--freeCount] : segments;
    if (segment == lengths.length) {
      lengths = Arrays.copyOf(lengths, segment * 2);
      users = Arrays.copyOf(users, segment * 2);
    }
    lengths[segment] = length;
    users[segment] = prefixes;
    segmentAt.put(first, segment);
  }

  private void giveUp(int segment, long first) {
    segments--;
    if (freeCount == free.length) {
      free = Arrays.copyOf(free, freeCount * 2);
    }
    free[freeCount++] = segment;
    segmentAt.put(first, 0);
  }
}

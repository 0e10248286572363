package io.orrery.engine.cache;

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
  private final PagedBlockMap lengths = new PagedBlockMap();
  private final PagedBlockMap users = new PagedBlockMap();
  private long blocks;
  private int segments;

  /** Distinct blocks of all prefixes. */
  public long blocks() {
    return blocks;
  }

  /** Segments that the prefixes are kept in. */
  int segments() {
    return segments;
  }

  /** How many of the first {@code limit} blocks of {@code keys} are leading blocks in use. */
  public int depth(BlockKeys keys, int limit) {
    int position = 0;
    while (position < limit) {
      long first = keys.keyAt(position);
      int length = lengths.get(first);
      int matched = keys.matching(position, first, Math.min(length, limit - position));
      position += matched;
      if (matched == 0 || matched < length) {
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
      int length = lengths.get(first);
      if (length == 0) {
        length = keys.consecutive(position, limit - position);
        lengths.put(first, length);
        users.put(first, 1);
        blocks += length;
        segments++;
      } else {
        int matched = keys.matching(position, first, Math.min(length, limit - position));
        if (matched < length) {
          lengths.put(first, matched);
          lengths.put(first + matched, length - matched);
          users.put(first + matched, users.get(first));
          segments++;
        }
        users.add(first, 1);
        length = matched;
      }
      position += length;
    }
  }

  /** Takes away a prefix that was added. */
  public void remove(BlockKeys keys, int limit) {
    int position = 0;
    long previous = 0;
    int previousLength = 0;
    int previousUsers = 0;
    while (position < limit) {
      long first = keys.keyAt(position);
      int length = lengths.get(first);
      if (length == 0) {
        throw new IllegalStateException("block " + position + " of the prefix is not in use");
      }
      position += length;
      int left = users.add(first, -1);
      if (left == 0) {
        lengths.put(first, 0);
        blocks -= length;
        segments--;
      } else if (left == previousUsers && first == previous + previousLength) {
        lengths.put(first, 0);
        users.put(first, 0);
        previousLength += length;
        lengths.put(previous, previousLength);
        segments--;
        continue;
      }
      previous = first;
      previousLength = length;
      previousUsers = left;
    }
  }
}

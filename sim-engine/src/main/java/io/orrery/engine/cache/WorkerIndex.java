package io.orrery.engine.cache;

import java.util.Arrays;

/**
 * Which workers hold which blocks: a set of workers for every key, and for a prompt how deep each
 * worker's contiguous prefix reaches. All workers are matched in one walk along the prompt, 64 at a
 * time, with one mask per block.
 */
public final class WorkerIndex {
  private final int workers;
  private final int words;
  private final PageDirectory directory = new PageDirectory();
  private long[] masks;
  private int[] live = new int[16];
  private final long[] alive;

  /**
   * @param workers workers are numbered from 0 to {@code workers - 1}
   */
  public WorkerIndex(int workers) {
    this.workers = workers;
    this.words = Math.max(1, (workers + 63) / 64);
    this.masks = new long[PageDirectory.PAGE * 16 * words];
    this.alive = new long[words];
  }

  /** Workers that can be told apart. */
  public int workers() {
    return workers;
  }

  /** Adds {@code worker} to the holders of {@code key}; says whether it was none before. */
  public boolean add(long key, int worker) {
    return add(key, 1, worker) > 0;
  }

  /**
   * Adds {@code worker} to the holders of {@code first, first + 1, …}, {@code count} keys; says of
   * how many it was none before.
   */
  public int add(long first, int count, int worker) {
    int added = 0;
    long end = first + count;
    for (long key = first; key < end; ) {
      int page = pageFor(key);
      long inPage = Math.min(end, (key | PageDirectory.MASK) + 1);
      int fresh = set(at(page, worker >>> 6, key), (int) (inPage - key), 1L << worker);
      live[page] += fresh;
      added += fresh;
      key = inPage;
    }
    return added;
  }

  private int pageFor(long key) {
    int page = directory.find(key);
    if (page < 0) {
      page = directory.add(key);
      if (page >= live.length) {
        live = Arrays.copyOf(live, live.length * 2);
        masks = Arrays.copyOf(masks, live.length * PageDirectory.PAGE * words);
      }
    }
    return page;
  }

  private int set(int from, int count, long bit) {
    int fresh = 0;
    for (int at = from; at < from + count; at++) {
      long mask = masks[at];
      masks[at] = mask | bit;
      fresh += (mask & bit) == 0 ? 1 : 0;
    }
    return fresh;
  }

  /** Takes {@code worker} from the holders of {@code key}; says whether it was one. */
  public boolean remove(long key, int worker) {
    return remove(key, 1, worker) > 0;
  }

  /**
   * Takes {@code worker} from the holders of {@code first, first + 1, …}, {@code count} keys; says
   * of how many it was one.
   */
  public int remove(long first, int count, int worker) {
    int removed = 0;
    long end = first + count;
    for (long key = first; key < end; ) {
      int page = directory.find(key);
      long inPage = Math.min(end, (key | PageDirectory.MASK) + 1);
      if (page >= 0) {
        int gone = clear(at(page, worker >>> 6, key), (int) (inPage - key), 1L << worker);
        removed += gone;
        live[page] -= gone;
        if (live[page] == 0) {
          directory.remove(key);
        }
      }
      key = inPage;
    }
    return removed;
  }

  private int clear(int from, int count, long bit) {
    int gone = 0;
    for (int at = from; at < from + count; at++) {
      long mask = masks[at];
      masks[at] = mask & ~bit;
      gone += (mask & bit) == 0 ? 0 : 1;
    }
    return gone;
  }

  /** Takes all holders from all keys in the page of {@code key}. */
  public void forgetPageOf(long key) {
    int page = directory.find(key);
    if (page >= 0) {
      int length = words << PageDirectory.SHIFT;
      Arrays.fill(masks, page * length, (page + 1) * length, 0);
      live[page] = 0;
      directory.remove(key);
    }
  }

  /** Pages with a key that some worker holds. */
  public int pages() {
    return directory.used();
  }

  /** Whether {@code worker} holds {@code key}. */
  public boolean holds(long key, int worker) {
    int page = directory.find(key);
    return page >= 0 && (masks[at(page, worker >>> 6, key)] & (1L << worker)) != 0;
  }

  /** Distinct keys that some worker holds. */
  public long keys() {
    long keys = 0;
    int pages = directory.created();
    for (int page = 0; page < pages; page++) {
      for (int i = 0; i < PageDirectory.PAGE; i++) {
        long any = 0;
        for (int word = 0; word < words; word++) {
          any |= masks[((page * words + word) << PageDirectory.SHIFT) + i];
        }
        keys += any == 0 ? 0 : 1;
      }
    }
    return keys;
  }

  /**
   * How far one worker's contiguous blocks reach from a position on.
   *
   * @return the first position from {@code from} on, below {@code limit}, whose block {@code
   *     worker} does not hold
   */
  public int reachFrom(BlockKeys keys, int from, int limit, int worker) {
    int position = from;
    while (position < limit && holds(keys.keyAt(position), worker)) {
      position++;
    }
    return position;
  }

  /**
   * Finds every worker's contiguous prefix.
   *
   * @param limit leading blocks to look at
   * @param depths receives for every worker the number of leading blocks it holds
   */
  public void depths(BlockKeys keys, int limit, int[] depths) {
    Arrays.fill(depths, 0, workers, 0);
    Arrays.fill(alive, -1L);
    int position = 0;
    while (position < limit) {
      long key = keys.keyAt(position);
      int page = directory.find(key);
      if (page < 0) {
        break;
      }
      int inPage = (int) (key & PageDirectory.MASK);
      int count =
          keys.consecutive(position, Math.min(limit - position, PageDirectory.PAGE - inPage));
      long any = 0;
      for (int word = 0; word < words; word++) {
        if (alive[word] != 0) {
          alive[word] = follow(word, at(page, word, key), position, count, depths);
          any |= alive[word];
        }
      }
      if (any == 0) {
        return;
      }
      position += count;
    }
    if (position > 0) {
      for (int word = 0; word < words; word++) {
        leave(alive[word], word, position, depths);
      }
    }
  }

  /**
   * Follows those of 64 workers that hold everything before {@code position} along the {@code
   * count} masks from {@code at} on; returns those that hold these as well.
   */
  private long follow(int word, int at, int position, int count, int[] depths) {
    long holders = alive[word];
    int i = 0;
    while (i < count) {
      int next = at + i;
      if (i + 4 <= count
          && (holders & masks[next] & masks[next + 1] & masks[next + 2] & masks[next + 3])
              == holders) {
        i += 4;
        continue;
      }
      long kept = holders & masks[next];
      if (kept != holders) {
        if (position + i > 0) {
          leave(holders & ~kept, word, position + i, depths);
        }
        holders = kept;
        if (holders == 0) {
          return 0;
        }
      }
      i++;
    }
    return holders;
  }

  private static void leave(long gone, int word, int position, int[] depths) {
    long left = gone;
    while (left != 0) {
      depths[(word << 6) + Long.numberOfTrailingZeros(left)] = position;
      left &= left - 1;
    }
  }

  /** A page's masks stand together for each 64 workers. */
  private int at(int page, int word, long key) {
    return ((page * words + word) << PageDirectory.SHIFT) + (int) (key & PageDirectory.MASK);
  }
}

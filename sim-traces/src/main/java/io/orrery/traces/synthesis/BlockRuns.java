package io.orrery.traces.synthesis;

import java.util.Arrays;

/** The full blocks of a prompt: ids local to a session, as runs of consecutive ids. Immutable. */
final class BlockRuns {
  private static final BlockRuns NONE = new BlockRuns(new int[0], new int[0]);

  private final int[] firsts;
  private final int[] lengths;
  private final int count;

  private BlockRuns(int[] firsts, int[] lengths) {
    this.firsts = firsts;
    this.lengths = lengths;
    int blocks = 0;
    for (int length : lengths) {
      blocks += length;
    }
    count = blocks;
  }

  /** Number of blocks. */
  int count() {
    return count;
  }

  /** The ids in position order. */
  int[] ids() {
    int[] ids = new int[count];
    int position = 0;
    for (int run = 0; run < firsts.length; run++) {
      for (int i = 0; i < lengths[run]; i++) {
        ids[position++] = firsts[run] + i;
      }
    }
    return ids;
  }

  /** Number of leading blocks that both have. */
  int commonWith(BlockRuns other) {
    int common = 0;
    int runs = Math.min(firsts.length, other.firsts.length);
    for (int run = 0; run < runs && firsts[run] == other.firsts[run]; run++) {
      common += Math.min(lengths[run], other.lengths[run]);
      if (lengths[run] != other.lengths[run]) {
        break;
      }
    }
    return common;
  }

  private BlockRuns firstBlocks(int blocks) {
    int run = 0;
    int left = blocks;
    while (run < lengths.length && left > lengths[run]) {
      left -= lengths[run++];
    }
    if (run == lengths.length || left == 0) {
      return left == 0
          ? new BlockRuns(Arrays.copyOf(firsts, run), Arrays.copyOf(lengths, run))
          : this;
    }
    int[] cut = Arrays.copyOf(lengths, run + 1);
    cut[run] = left;
    return new BlockRuns(Arrays.copyOf(firsts, run + 1), cut);
  }

  private BlockRuns with(int first, int length) {
    int runs = firsts.length;
    if (runs > 0 && firsts[runs - 1] + lengths[runs - 1] == first) {
      int[] longer = lengths.clone();
      longer[runs - 1] += length;
      return new BlockRuns(firsts, longer);
    }
    int[] moreFirsts = Arrays.copyOf(firsts, runs + 1);
    int[] moreLengths = Arrays.copyOf(lengths, runs + 1);
    moreFirsts[runs] = first;
    moreLengths[runs] = length;
    return new BlockRuns(moreFirsts, moreLengths);
  }

  /** Gives out the ids of one session: each new block gets the next one. */
  static final class Source {
    private int next;

    /** The first {@code kept} blocks of a prompt and new ones behind them, {@code count} in all. */
    BlockRuns extend(BlockRuns prompt, int kept, int count) {
      BlockRuns start = prompt.firstBlocks(kept);
      if (count <= start.count()) {
        return start.firstBlocks(count);
      }
      BlockRuns extended = start.with(next, count - start.count());
      next += count - start.count();
      return extended;
    }

    /** A prompt of new blocks. */
    BlockRuns fresh(int count) {
      return extend(NONE, 0, count);
    }
  }
}

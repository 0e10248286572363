package io.orrery.traces.synthesis;

import java.util.Arrays;
import java.util.List;

/** Gives prompts their blocks. Where a profile knows none, prompts have none. */
final class PromptBlocks {
  private final boolean known;
  private final int blockSize;
  private final BlockSource source;

  /** The blocks of each beginning, those before it included. */
  private final int[][] beginnings;

  PromptBlocks(TraceProfile profile, List<Beginning> tree, BlockSource source) {
    known = profile.blocksKnown();
    blockSize = profile.blockSize();
    this.source = source;
    int[] firsts = source.reserve(tree);
    beginnings = new int[tree.size()][];
    for (int node = 0; node < beginnings.length; node++) {
      Beginning beginning = tree.get(node);
      int[] before = beginning.parent() < 0 ? new int[0] : beginnings[beginning.parent()];
      beginnings[node] = added(before, firsts[node], beginning.blocks());
    }
  }

  /**
   * A first prompt.
   *
   * @param beginning −1 for none
   */
  void begin(SyntheticCall call, int beginning) {
    fill(call, beginning < 0 ? new int[0] : beginnings[beginning], Integer.MAX_VALUE);
  }

  /** A prompt that keeps only a share of the blocks of the one before. */
  void keep(SyntheticCall before, SyntheticCall call, double share) {
    fill(call, before.promptRuns, (int) (before.blocks * Math.min(1, share)));
  }

  /** A prompt that keeps all, perhaps with the output before; see {@code CompletionNaming}. */
  void goOn(SyntheticCall before, SyntheticCall call) {
    fill(call, before.promptRuns, before.blocks);
    long length = (long) before.input + before.output;
    if (known && call.input >= length) {
      int touched = (int) ((length - 1 + blockSize - 1) / blockSize);
      int upTo = Math.max(before.blocks, Math.min(call.blocks, touched));
      before.completionRuns = part(call.promptRuns, before.blocks, upTo);
    }
  }

  /** At most so many blocks of a list, then new ones. */
  private void fill(SyntheticCall call, int[] runs, int most) {
    if (!known) {
      return;
    }
    call.blocks = call.input / blockSize;
    int[] kept = part(runs, 0, Math.min(most, call.blocks));
    int missing = call.blocks - count(kept);
    call.promptRuns = missing == 0 ? kept : added(kept, source.fresh(missing), missing);
  }

  private static int count(int[] runs) {
    int count = 0;
    for (int i = 1; i < runs.length; i += 2) {
      count += runs[i];
    }
    return count;
  }

  private static int[] added(int[] runs, int first, int blocks) {
    int last = runs.length - 2;
    if (last >= 0 && runs[last] + runs[last + 1] == first) {
      int[] longer = runs.clone();
      longer[last + 1] += blocks;
      return longer;
    }
    int[] more = Arrays.copyOf(runs, runs.length + 2);
    more[runs.length] = first;
    more[runs.length + 1] = blocks;
    return more;
  }

  /** Blocks [from, to) of a list. */
  private static int[] part(int[] runs, int from, int to) {
    int[] slice = new int[runs.length];
    int size = 0;
    int position = 0;
    for (int i = 0; i < runs.length && position < to; i += 2) {
      int begin = Math.max(from, position);
      int end = Math.min(to, position + runs[i + 1]);
      if (begin < end) {
        slice[size++] = runs[i] + begin - position;
        slice[size++] = end - begin;
      }
      position += runs[i + 1];
    }
    return Arrays.copyOf(slice, size);
  }
}

package io.orrery.traces;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Prompts that are put together of components with ids and lengths. A block is named by all
 * components up to its end, and where in the last one it ends: prompts that begin with the same
 * components share the blocks of these.
 */
final class PromptComponents {
  static final int NONE = -1;

  private static final String UNKNOWN = "components without a length: nothing behind them is known";
  private static final String TOO_LONG = "prompts shorter than their components, cut off";

  private final Map<Long, Integer> lengths = new HashMap<>();
  private long[] ids = new long[16];
  private int count;

  /** Begins a prompt. */
  void clear() {
    count = 0;
  }

  void add(long id) {
    if (count == ids.length) {
      ids = Arrays.copyOf(ids, 2 * count);
    }
    ids[count++] = id;
  }

  /** The components of the prompt, in their order. */
  long[] ofPrompt() {
    return Arrays.copyOf(ids, count);
  }

  /** Takes the length of a component, in tokens; refuses a second one that is another. */
  void length(JsonRows rows, String field, long id, long tokens) {
    Integer before = lengths.putIfAbsent(id, (int) tokens);
    if (before != null && before != tokens) {
      throw rows.wrong(
          field, Long.toString(tokens), before + ", as said of component " + id + " before");
    }
  }

  boolean lengthsKnown() {
    return !lengths.isEmpty();
  }

  /**
   * Names the full blocks of a prompt.
   *
   * @param input its tokens; those behind its components have no identity
   * @param hashes takes the blocks' names
   * @return what is odd, null for nothing
   */
  @Nullable String blocks(long[] components, int input, int blockSize, HashRuns hashes) {
    hashes.clear();
    long name = 0;
    long start = 0;
    for (long id : components) {
      Integer length = lengths.get(id);
      if (length == null) {
        return UNKNOWN;
      }
      name = mixed(name + id);
      long end = Math.min(input, start + length);
      for (long block = start / blockSize * blockSize + blockSize; block <= end; ) {
        hashes.add(mixed(name + (block - start)));
        block += blockSize;
      }
      if (start + length > input) {
        return TOO_LONG;
      }
      start = end;
    }
    return null;
  }

  /** As SplitMix64 does it: another number for each, none near it. */
  private static long mixed(long value) {
    long z = value + 0x9e3779b97f4a7c15L;
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }
}

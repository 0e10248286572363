package io.orrery.engine.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ActivePrefixesTest {
  private final ActivePrefixes prefixes = new ActivePrefixes();

  /** 1 … 5 and its branch 1 2 3 | 8 9 cover seven blocks. */
  @Test
  void sharedBlocksCountOnce() {
    BlockKeys trunk = keys(1, 5);
    BlockKeys branch = keys(1, 3, 8, 2);
    prefixes.add(trunk, 5);
    assertThat(prefixes.blocks()).isEqualTo(5);
    assertThat(prefixes.depth(branch, 5)).isEqualTo(3);

    prefixes.add(branch, 5);
    assertThat(prefixes.blocks()).isEqualTo(7);
    assertThat(prefixes.depth(branch, 5)).isEqualTo(5);

    prefixes.remove(trunk, 5);
    assertThat(prefixes.blocks()).isEqualTo(5);
    assertThat(prefixes.depth(trunk, 5)).isEqualTo(3);

    prefixes.remove(branch, 5);
    assertThat(prefixes.blocks()).isZero();
    assertThat(prefixes.depth(branch, 5)).isZero();
  }

  /** 1 … 10 in one segment; branches at 3, 6 and 9 cut it in four; without them it heals. */
  @Test
  void segmentsAreJoinedAgainWhenNothingTellsThemApart() {
    BlockKeys trunk = keys(1, 10);
    prefixes.add(trunk, 10);
    prefixes.add(trunk, 10);
    assertThat(prefixes.segments()).isEqualTo(1);
    BlockKeys[] branches = {keys(1, 3, 20, 1), keys(1, 6, 30, 1), keys(1, 9)};
    for (BlockKeys branch : branches) {
      prefixes.add(branch, branch.named());
    }
    assertThat(prefixes.segments()).as("four of the trunk, two of branches").isEqualTo(6);
    for (BlockKeys branch : branches) {
      prefixes.remove(branch, branch.named());
    }
    prefixes.remove(trunk, 10);
    assertThat(prefixes.segments()).isEqualTo(1);
    assertThat(prefixes.depth(trunk, 10)).isEqualTo(10);
    prefixes.remove(trunk, 10);
    assertThat(prefixes.segments()).isZero();
  }

  @Test
  void thePrefixMayBeShorterThanTheKeys() {
    BlockKeys keys = keys(1, 5);
    prefixes.add(keys, 3);
    assertThat(prefixes.blocks()).isEqualTo(3);
    assertThat(prefixes.depth(keys, 5)).isEqualTo(3);
    assertThat(prefixes.depth(keys, 2)).isEqualTo(2);
    prefixes.add(keys, 0);
    prefixes.remove(keys, 0);
    assertThat(prefixes.blocks()).isEqualTo(3);
  }

  @Test
  void thatSomethingIsTakenAwayWhichIsNotThereIsAnError() {
    assertThatThrownBy(() -> prefixes.remove(keys(1, 5), 5))
        .hasMessage("block 0 of the prefix is not in use");
  }

  /**
   * Random prefixes come, grow and go; the reference counts every block. Prompts grow as sessions
   * do: a new one is an earlier one, cut off anywhere, and a new run of its own, so that a key
   * always stands behind the same prefix. Runs are handed over in arbitrary pieces.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
  void agreesWithACountPerBlock(int seed) {
    Random random = new Random(seed);
    List<long[]> prompts = new ArrayList<>();
    prompts.add(new long[0]);
    long nextKey = 0;
    List<long[]> active = new ArrayList<>();
    List<long[]> whole = new ArrayList<>();
    Map<Long, Integer> counts = new HashMap<>();
    for (int step = 0; step < 3_000; step++) {
      if (active.isEmpty() || random.nextInt(active.size() + 8) < 10) {
        long[] ancestor = prompts.get(random.nextInt(prompts.size()));
        int kept = random.nextInt(ancestor.length + 1);
        int grown = random.nextInt(4) == 0 ? 0 : random.nextInt(40);
        long[] prompt = Arrays.copyOf(ancestor, kept + grown);
        for (int i = kept; i < prompt.length; i++) {
          prompt[i] = nextKey++;
        }
        if (prompt.length < 400) {
          prompts.add(prompt);
        }
        assertThat(prefixes.depth(pieces(prompt, random), prompt.length))
            .isEqualTo(depth(prompt, counts));
        long[] begun = Arrays.copyOf(prompt, random.nextInt(prompt.length + 1));
        prefixes.add(pieces(prompt, random), begun.length);
        active.add(begun);
        whole.add(prompt);
        for (long key : begun) {
          counts.merge(key, 1, Integer::sum);
        }
      } else if (random.nextInt(3) == 0) {
        int at = random.nextInt(active.size());
        long[] prompt = whole.get(at);
        int from = active.get(at).length;
        int to = from + random.nextInt(prompt.length - from + 1);
        prefixes.extend(pieces(prompt, random), from, to);
        active.set(at, Arrays.copyOf(prompt, to));
        for (int i = from; i < to; i++) {
          counts.merge(prompt[i], 1, Integer::sum);
        }
      } else {
        int at = random.nextInt(active.size());
        long[] prompt = active.remove(at);
        whole.remove(at);
        prefixes.remove(pieces(prompt, random), prompt.length);
        for (long key : prompt) {
          counts.computeIfPresent(key, (unused, count) -> count == 1 ? null : count - 1);
        }
      }
      assertThat(prefixes.blocks()).isEqualTo(counts.size());
      long[] asked = prompts.get(random.nextInt(prompts.size()));
      assertThat(prefixes.depth(pieces(asked, random), asked.length))
          .isEqualTo(depth(asked, counts));
    }
  }

  private static int depth(long[] prompt, Map<Long, Integer> counts) {
    int depth = 0;
    while (depth < prompt.length && counts.containsKey(prompt[depth])) {
      depth++;
    }
    return depth;
  }

  private static BlockKeys pieces(long[] prompt, Random random) {
    BlockKeys keys = new BlockKeys();
    keys.reset(1);
    int from = 0;
    for (int i = 1; i <= prompt.length; i++) {
      if (i == prompt.length || prompt[i] != prompt[i - 1] + 1 || random.nextInt(20) == 0) {
        keys.addRun(prompt[from], i - from);
        from = i;
      }
    }
    return keys;
  }

  private static BlockKeys keys(int... firstsAndLengths) {
    BlockKeys keys = new BlockKeys();
    keys.reset(1);
    for (int i = 0; i < firstsAndLengths.length; i += 2) {
      keys.addRun(firstsAndLengths[i], firstsAndLengths[i + 1]);
    }
    return keys;
  }
}

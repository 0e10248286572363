package io.orrery.engine.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** SGLang's rules for the radix cache, worked by hand. */
class RadixCacheTest {
  private final List<String> events = new ArrayList<>();
  private final RadixListener listener =
      new RadixListener() {
        @Override
        public void stored(long firstKey, int pages) {
          events.add("+" + firstKey + "x" + pages);
        }

        @Override
        public void removed(long firstKey, int pages) {
          events.add("-" + firstKey + "x" + pages);
        }

        @Override
        public void evicted(int position, int pages, long firstKey) {
          events.add("evicted " + firstKey + "x" + pages + " at " + position);
        }
      };

  private final RadixCache cache = new RadixCache(16, RadixEviction.LRU, listener);

  @Test
  void whatIsInsertedCanBeMatchedAndIsHeldOnce() {
    assertThat(insert(run(10, 3))).isZero();
    assertThat(cache.tokens()).isEqualTo(48);
    assertThat(match(run(10, 5))).isEqualTo(3);
    assertThat(match(run(11, 2))).isZero();
    assertThat(cache.lastNode()).isEqualTo(RadixCache.ROOT);

    // The three pages are duplicates; only the fourth is new, a node of its own.
    assertThat(insert(run(10, 4))).isEqualTo(3);
    assertThat(cache.tokens()).isEqualTo(64);
    assertThat(cache.nodes()).isEqualTo(2);
    assertThat(events).containsExactly("+10x3", "+13x1");
  }

  @Test
  void aLookUpThatEndsInsideANodeSplitsIt() {
    insert(run(10, 4));
    int leaf = cache.lastNode();
    assertThat(match(run(10, 2))).isEqualTo(2);
    int upper = cache.lastNode();
    assertThat(cache.nodes()).isEqualTo(2);
    assertThat(cache.parent(leaf)).isEqualTo(upper);
    assertThat(cache.parent(upper)).isEqualTo(RadixCache.ROOT);
    assertThat(cache.tokens()).isEqualTo(64);
    assertThat(cache.evictableLeaves()).isEqualTo(1);
    assertThat(match(run(10, 4))).isEqualTo(4);
    assertThat(cache.lastNode()).isEqualTo(leaf);
  }

  @Test
  void anEdgeOfSeveralRunsSplitsInsideAndBetweenThem() {
    // 10 11 | 50 51 52 | 70, cut after 3 pages (inside the second run), then after 2 (between
    // runs).
    insert(keys(new long[][] {{10, 2}, {50, 3}, {70, 1}}));
    assertThat(match(keys(new long[][] {{10, 2}, {50, 1}, {99, 1}}))).isEqualTo(3);
    assertThat(match(keys(new long[][] {{10, 2}, {51, 1}}))).isEqualTo(2);
    assertThat(cache.nodes()).isEqualTo(3);
    assertThat(match(keys(new long[][] {{10, 2}, {50, 3}, {70, 1}}))).isEqualTo(6);
    cache.evict(1_000);
    assertThat(events)
        .containsExactly(
            "+10x2",
            "+50x3",
            "+70x1",
            "evicted 51x3 at 3",
            "-51x2",
            "-70x1",
            "evicted 50x1 at 2",
            "-50x1",
            "evicted 10x2 at 0",
            "-10x2");
    assertThat(cache.tokens()).isZero();
    assertThat(cache.nodes()).isZero();
  }

  @Test
  void onlyInsertionRaisesHitsAndPriority() {
    BlockKeys keys = run(10, 4);
    cache.insert(keys, 4, 3, false);
    int leaf = cache.lastNode();
    assertThat(cache.hits(leaf)).isEqualTo(1);
    match(keys);
    assertThat(cache.hits(leaf)).isEqualTo(1);

    // The insertion of two pages splits: the upper node inherits 1 hit and priority 3, then gains.
    cache.insert(keys, 2, 5, false);
    int upper = cache.lastNode();
    assertThat(cache.hits(upper)).isEqualTo(2);
    assertThat(cache.priority(upper)).isEqualTo(5);
    assertThat(cache.hits(leaf)).isEqualTo(1);
    assertThat(cache.priority(leaf)).isEqualTo(3);

    // Chunks of a prefill that goes on are no hits, but carry their priority.
    cache.insert(keys, 4, 4, true);
    assertThat(cache.hits(leaf)).isEqualTo(1);
    assertThat(cache.priority(leaf)).isEqualTo(4);
    assertThat(cache.priority(upper)).isEqualTo(5);
  }

  @Test
  void locksHoldThePathAndCountPagesOnce() {
    insert(run(10, 4));
    match(run(10, 2));
    int upper = cache.lastNode();
    match(run(10, 4));
    int leaf = cache.lastNode();

    cache.lock(leaf);
    cache.lock(upper);
    assertThat(cache.locks(upper)).isEqualTo(2);
    assertThat(cache.protectedTokens()).isEqualTo(64);
    assertThat(cache.evictableTokens()).isZero();
    assertThat(cache.evictableLeaves()).isZero();
    assertThat(cache.evict(1_000)).isZero();

    cache.unlock(leaf);
    assertThat(cache.protectedTokens()).isEqualTo(32);
    assertThat(cache.evictableTokens()).isEqualTo(32);
    // The leaf goes; its parent is now without children, but locked.
    assertThat(cache.evict(1_000)).isEqualTo(32);
    assertThat(cache.evictableLeaves()).isZero();
    cache.unlock(upper);
    assertThat(cache.evictableLeaves()).isEqualTo(1);
    assertThatThrownBy(() -> cache.unlock(upper)).isInstanceOf(IllegalStateException.class);
    cache.lock(RadixCache.ROOT);
    cache.unlock(RadixCache.ROOT);
  }

  @Test
  void aSplitCopiesTheLocksOfTheNode() {
    insert(run(10, 4));
    int leaf = cache.lastNode();
    cache.lock(leaf);
    match(run(10, 1));
    assertThat(cache.locks(cache.lastNode())).isEqualTo(1);
    assertThat(cache.protectedTokens()).isEqualTo(64);
    cache.unlock(leaf);
    assertThat(cache.protectedTokens()).isZero();
    assertThat(cache.locks(cache.parent(leaf))).isZero();
  }

  @Test
  void evictionTakesWholeLeavesAndMayTakeMoreThanAsked() {
    insert(run(10, 3));
    insert(run(20, 2));
    match(run(10, 3));
    // 20 is the older now. 1 token costs its 2 pages; asked for nothing, nothing goes.
    assertThat(cache.evict(0)).isZero();
    assertThat(cache.evict(1)).isEqualTo(32);
    assertThat(events).endsWith("evicted 20x2 at 0", "-20x2");
    assertThat(match(run(20, 2))).isZero();
    assertThat(match(run(10, 3))).isEqualTo(3);
  }

  @Test
  void aParentThatBecomesALeafCompetesAtOnce() {
    insert(run(10, 1));
    insert(run(10, 2));
    insert(run(30, 1));
    // 11 and 10 were last used by the second call, 30 by the third: 11, then 10, then 30.
    cache.evict(1_000);
    assertThat(events.stream().filter(e -> e.startsWith("evicted")))
        .containsExactly("evicted 11x1 at 1", "evicted 10x1 at 0", "evicted 30x1 at 0");
  }

  @Test
  void theUpperNodeOfASplitIsFreshlyUsed() {
    insert(run(10, 2));
    insert(run(30, 1));
    match(run(10, 1));
    // 11 was touched by the match, after 30; 10 later still.
    cache.evict(1_000);
    assertThat(events.stream().filter(e -> e.startsWith("evicted")))
        .containsExactly("evicted 30x1 at 0", "evicted 11x1 at 1", "evicted 10x1 at 0");
  }

  /**
   * Four leaves of one page, in the order of their making: 10 (priority 2), 20 (0), 30 (1), 40 (1).
   * 10 is inserted twice more, 20 once more, then 40 is matched. Hits: 3, 2, 1, 1. By last access:
   * 30, 10, 20, 40.
   */
  @ParameterizedTest
  @CsvSource({
    "lru, 30 10 20 40",
    "mru, 40 20 10 30",
    "fifo, 10 20 30 40",
    "filo, 40 30 20 10",
    "lfu, 30 40 20 10",
    "slru, 30 40 10 20",
    "priority, 20 30 40 10"
  })
  void strategiesChooseTheLeaf(String strategy, String order) {
    RadixCache strategic = new RadixCache(1, RadixEviction.named(strategy), listener);
    int[] priorities = {2, 0, 1, 1};
    for (int i = 0; i < 4; i++) {
      strategic.insert(run(10 + 10 * i, 1), 1, priorities[i], false);
    }
    strategic.insert(run(10, 1), 1, 0, false);
    strategic.insert(run(10, 1), 1, 0, false);
    strategic.insert(run(20, 1), 1, 0, false);
    strategic.match(run(40, 1), 1);
    strategic.evict(4);
    assertThat(
            String.join(
                " ",
                events.stream()
                    .filter(e -> e.startsWith("evicted"))
                    .map(e -> e.substring(8, 10))
                    .toList()))
        .isEqualTo(order);
  }

  @Test
  void badSettingsAreNamed() {
    assertThatThrownBy(() -> new RadixCache(0, RadixEviction.LRU, listener))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("at least 1 token");
    assertThatThrownBy(() -> RadixEviction.named("arc"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "eviction strategy: found arc, expected one of lru, lfu, slru, fifo, priority, mru,"
                + " filo");
  }

  private int insert(BlockKeys keys) {
    return cache.insert(keys, keys.named(), 0, false);
  }

  private int match(BlockKeys keys) {
    return cache.match(keys, keys.named());
  }

  private static BlockKeys run(long first, int length) {
    return keys(new long[][] {{first, length}});
  }

  private static BlockKeys keys(long[][] runs) {
    BlockKeys keys = new BlockKeys();
    keys.reset(0);
    for (long[] run : runs) {
      keys.addRun(run[0], (int) run[1]);
    }
    return keys;
  }
}

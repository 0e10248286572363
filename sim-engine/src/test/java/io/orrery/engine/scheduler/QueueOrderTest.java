package io.orrery.engine.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.engine.cache.BlockKeys;
import io.orrery.engine.cache.RadixCache;
import io.orrery.engine.cache.RadixEviction;
import io.orrery.engine.cache.RadixListener;
import io.orrery.engine.scheduler.QueueOrder.Policy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** SGLang's queue orders, worked by hand. */
class QueueOrderTest {
  private final RadixCache cache = new RadixCache(1, RadixEviction.LRU, RadixListener.NONE);
  private final List<QueuedRequest> queue = new ArrayList<>();

  @Test
  void firstComeFirstServedLeavesTheQueueAsItIs() {
    add(5, 10, 100, 50);
    add(9, 99, 100, 50);
    assertThat(sorted(Policy.FCFS, false, false)).containsExactly(0, 1);
  }

  @Test
  void prioritiesComeFirstAndThenTheTimeInTheQueue() {
    add(1, 0, 100, 50);
    add(5, 0, 100, 50);
    add(1, 0, 100, 50);
    add(5, 0, 100, 50);
    queue.get(3).queuedAt = 0.5;
    assertThat(sorted(Policy.FCFS, true, false)).containsExactly(3, 1, 0, 2);
    assertThat(sorted(Policy.FCFS, true, true)).containsExactly(0, 2, 3, 1);
  }

  @Test
  void longestOutputFirst() {
    add(0, 10, 100, 50);
    add(1, 30, 100, 50);
    add(0, 30, 100, 50);
    assertThat(sorted(Policy.LOF, false, false)).containsExactly(1, 2, 0);
  }

  @Test
  void longestOutputFirstWithinAPriority() {
    add(0, 10, 100, 50);
    add(1, 20, 100, 50);
    add(0, 30, 100, 50);
    assertThat(sorted(Policy.LOF, true, false)).containsExactly(1, 2, 0);
    assertThat(sorted(Policy.LOF, true, true)).containsExactly(2, 0, 1);
    assertThat(queue).allMatch(r -> r.matchedTokens == 0);
  }

  @Test
  void longestPrefixFirstAndTheLastTokenNeverMatches() {
    store(100, 50);
    add(0, 1, 100, 40);
    add(0, 1, 100, 51);
    add(0, 1, 100, 50);
    // 39, 50 and 49 tokens; the match of 39 split the node.
    assertThat(sorted(Policy.LPM, false, false)).containsExactly(1, 2, 0);
    assertThat(queue).extracting(r -> r.matchedTokens).containsExactly(50, 49, 39);
    assertThat(cache.nodes()).isEqualTo(3);
  }

  @Test
  void whoSharesAnUnheldStartWithAnEarlierOneWaitsForIt() {
    store(100, 33);
    add(0, 1, 500, 40);
    add(0, 1, 500, 32);
    add(0, 1, 500, 31);
    add(0, 1, 100, 60);
    add(0, 1, 100, 61);
    // 1 shares 32 tokens with 0 and goes last; 2 shares 31. 3 and 4 match 33, which is held enough.
    assertThat(sorted(Policy.LPM, false, false)).containsExactly(3, 4, 0, 2, 1);
  }

  @Test
  void above128WaitingNothingIsLookedUpOrSorted() {
    store(100, 50);
    for (int i = 0; i < 128; i++) {
      add(0, 1, 1_000 * (i + 1), 20);
    }
    add(0, 1, 100, 50);
    assertThat(sorted(Policy.LPM, false, false).get(128)).isEqualTo(128);
    assertThat(queue.get(128).matchedTokens).isZero();
    queue.remove(0);
    assertThat(sorted(Policy.LPM, false, false).get(0)).isEqualTo(128);
  }

  @Test
  void alongTheTreeTheBusiestChildComesFirstAndANodeAfterItsChildren() {
    // Root: x (100-109) with children y (..119) and z (200s); and w (300-309).
    store(100, 10);
    store(100, 20);
    BlockKeys forked = run(100, 10);
    forked.addRun(200, 10);
    cache.insert(forked, 20, 0, false);
    store(300, 10);

    add(0, 1, 900, 5); // 0: nothing held, at the root
    add(0, 1, 300, 11); // 1: w
    add(0, 1, 100, 11); // 2: x
    addForked(); // 3: z
    add(0, 1, 100, 21); // 4: y
    addForked(); // 5: z
    // x weighs 4, w 1. Under x: z weighs 2, y 1; then x's own; then w; the root's own last.
    assertThat(sorted(Policy.DFS_WEIGHT, false, false)).containsExactly(3, 5, 4, 2, 1, 0);
  }

  @Test
  void childrenOfOneWeightKeepTheOrderInWhichTheyWereAdded() {
    store(300, 10);
    store(100, 10);
    store(200, 10);
    add(0, 1, 200, 11);
    add(0, 1, 100, 11);
    add(0, 1, 300, 11);
    assertThat(sorted(Policy.DFS_WEIGHT, false, false)).containsExactly(2, 1, 0);
  }

  @Test
  void unknownOrdersAreNamed() {
    assertThat(Policy.named("dfs-weight")).isEqualTo(Policy.DFS_WEIGHT);
    assertThatThrownBy(() -> Policy.named("sjf"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("queue order: found sjf, expected one of fcfs, lpm, dfs-weight, lof");
  }

  private List<Integer> sorted(Policy policy, boolean byPriority, boolean lowValuesFirst) {
    new QueueOrder(policy, byPriority, lowValuesFirst, cache, 1).sort(queue);
    return queue.stream().map(r -> r.request).toList();
  }

  private void store(long first, int tokens) {
    cache.insert(run(first, tokens), tokens, 0, false);
  }

  private void addForked() {
    add(0, 1, 100, 10);
    QueuedRequest request = queue.get(queue.size() - 1);
    request.tokens = 21;
    request.keys.addRun(200, 11);
  }

  private void add(int priority, int maxOutputTokens, long first, int tokens) {
    QueuedRequest request = new QueuedRequest();
    request.request = queue.size();
    request.priority = priority;
    request.maxOutputTokens = maxOutputTokens;
    request.queuedAt = queue.size();
    request.tokens = tokens;
    request.keys = run(first, tokens);
    request.queueKeys = request.keys;
    queue.add(request);
  }

  private static BlockKeys run(long first, int tokens) {
    BlockKeys keys = new BlockKeys();
    keys.reset(0);
    keys.addRun(first, tokens);
    return keys;
  }
}

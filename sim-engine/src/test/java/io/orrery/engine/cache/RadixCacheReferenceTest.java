package io.orrery.engine.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The cache over runs of page keys against one that holds every token. */
class RadixCacheReferenceTest {
  private static final int[] PAGES = {1, 2, 5};
  private static final int CASES = 40;
  private static final int OPERATIONS = 150;

  private final Map<List<Integer>, Long> pageKeys = new HashMap<>();
  private final List<Integer> firstTokens = new ArrayList<>();
  private final List<String> gone = new ArrayList<>();
  private final List<RadixLock> held = new ArrayList<>();

  private record RadixLock(int node, NaiveRadixCache.Node naive) {}

  @ParameterizedTest
  @EnumSource(RadixEviction.class)
  void agreesWithOneThatHoldsEveryToken(RadixEviction strategy) {
    for (int seed = 0; seed < CASES; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      run(strategy, PAGES[seed % PAGES.length], random, strategy + " seed " + seed);
    }
  }

  private void run(RadixEviction strategy, int page, SplittableRandom random, String what) {
    pageKeys.clear();
    firstTokens.clear();
    held.clear();
    RadixCache cache =
        new RadixCache(
            page,
            strategy,
            new RadixListener() {
              @Override
              public void evicted(int position, int pages, long firstKey) {
                int first = firstTokens.get((int) firstKey);
                gone.add(position * page + ":" + pages * page + ":" + first);
              }
            });
    NaiveRadixCache naive = new NaiveRadixCache(page, strategy);
    for (int i = 0; i < OPERATIONS; i++) {
      String where = what + " operation " + i;
      List<Integer> tokens = tokens(random);
      int pages = tokens.size() / page;
      switch (random.nextInt(6)) {
        case 0, 1 -> {
          int priority = random.nextInt(4);
          boolean chunked = random.nextInt(4) == 0;
          assertThat(cache.insert(keys(tokens, page), pages, priority, chunked) * page)
              .as(where)
              .isEqualTo(naive.insert(tokens, priority, chunked));
        }
        case 2 ->
            assertThat(cache.match(keys(tokens, page), pages) * page)
                .as(where)
                .isEqualTo(naive.match(tokens));
        case 3 -> {
          cache.match(keys(tokens, page), pages);
          naive.match(tokens);
          cache.lock(cache.lastNode());
          naive.lock(naive.last, 1);
          held.add(new RadixLock(cache.lastNode(), naive.last));
        }
        case 4 -> {
          if (!held.isEmpty()) {
            RadixLock lock = held.remove(random.nextInt(held.size()));
            cache.unlock(lock.node());
            naive.lock(lock.naive(), -1);
          }
        }
        default -> {
          gone.clear();
          long wanted = random.nextInt(40);
          cache.evict(wanted);
          assertThat(gone).as(where).isEqualTo(naive.evict(wanted));
        }
      }
      sameState(cache, naive, where);
    }
    held.forEach(lock -> cache.unlock(lock.node()));
    held.forEach(lock -> naive.lock(lock.naive(), -1));
    gone.clear();
    cache.evict(Long.MAX_VALUE);
    assertThat(gone).as(what).isEqualTo(naive.evict(Long.MAX_VALUE));
    assertThat(cache.tokens()).as(what).isZero();
    assertThat(cache.nodes()).as(what).isZero();
  }

  private static void sameState(RadixCache cache, NaiveRadixCache naive, String where) {
    long free = 0;
    long locked = 0;
    int leaves = 0;
    List<NaiveRadixCache.Node> nodes = naive.nodes();
    for (NaiveRadixCache.Node node : nodes) {
      if (node.locks == 0) {
        free += node.tokens.size();
      } else {
        locked += node.tokens.size();
      }
      leaves += NaiveRadixCache.evictable(node) ? 1 : 0;
    }
    assertThat(
            List.of(
                cache.evictableTokens(),
                cache.protectedTokens(),
                (long) cache.nodes(),
                (long) cache.evictableLeaves()))
        .as(where + ": evictable, protected, nodes, leaves")
        .isEqualTo(List.of(free, locked, (long) nodes.size(), (long) leaves));
  }

  /** Up to four pieces of three texts, so that prompts share starts and part inside pages. */
  private static List<Integer> tokens(SplittableRandom random) {
    List<Integer> tokens = new ArrayList<>();
    int pieces = random.nextInt(1, 5);
    for (int i = 0; i < pieces; i++) {
      int text = 1_000 * random.nextInt(3);
      int length = random.nextInt(9);
      for (int k = 0; k < length; k++) {
        tokens.add(text + k);
      }
    }
    return tokens;
  }

  private BlockKeys keys(List<Integer> tokens, int page) {
    BlockKeys keys = new BlockKeys();
    keys.reset(0);
    long first = 0;
    int length = 0;
    for (int at = 0; at + page <= tokens.size(); at += page) {
      List<Integer> content = List.copyOf(tokens.subList(at, at + page));
      Long key = pageKeys.get(content);
      if (key == null) {
        key = (long) firstTokens.size();
        pageKeys.put(content, key);
        firstTokens.add(content.get(0));
      }
      if (length == 0 || key != first + length) {
        keys.addRun(first, length);
        first = key;
        length = 0;
      }
      length++;
    }
    keys.addRun(first, length);
    return keys;
  }
}

package io.orrery.engine.routing;

import static io.orrery.engine.routing.FakeCluster.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

/**
 * Two workers; blocks have 16 tokens. The request to place has 64 tokens, the blocks 1 2 3 4, of
 * which worker 0 is believed to have cached 1 2 3 and worker 1 nothing.
 */
class KvAwareTest {
  private static final RoutedRequest REQUEST = request(0, 64, 1, 4);

  private final FakeCluster cluster = new FakeCluster(2);

  KvAwareTest() {
    cluster.cache(0, 1, 3);
  }

  /** Prefill 64 / 16 less the credit of 3 or 0, decode 0 + 4: costs 1 + 4 and 4 + 4. */
  @Test
  void idleWorkersDifferByWhatTheyHaveCached() {
    KvAware policy = policy();
    assertThat(costs(policy)).containsExactly(5, 8);
    assertThat(policy.choose(REQUEST, cluster.candidates())).isZero();
  }

  /** Worker 0 with 160 tokens to prefill: prefill (160 + 64) / 16 - 3 = 11, decode 0 + 4. */
  @Test
  void aPrefillBacklogOutweighsTheCache() {
    KvAware policy = policy();
    placeShortPrompts(policy, 0);
    assertThat(costs(policy)).containsExactly(15, 8);
    assertThat(policy.choose(REQUEST, cluster.candidates())).isEqualTo(1);
  }

  /**
   * The same backlog as one prompt of 10 other blocks: decode 10 + 4, before and after its prefill.
   */
  @Test
  void blocksInFlightCountUntilTheRequestEndsAndItsPrefillUntilTheFirstToken() {
    KvAware policy = policy();
    RoutedRequest other = request(9, 160, 100, 10);
    place(policy, other, 0);
    assertThat(costs(policy)).containsExactly(11 + 14, 8);
    cluster.firstToken(policy, other, 0);
    assertThat(costs(policy)).containsExactly(1 + 14, 8);
    cluster.ended(policy, other, 0);
    assertThat(costs(policy)).containsExactly(5, 8);
  }

  @Test
  void aRequestThatEndsWithoutAFirstTokenLeavesNothingBehind() {
    KvAware policy = policy();
    RoutedRequest other = request(9, 160, 100, 10);
    place(policy, other, 1);
    assertThat(costs(policy)).containsExactly(5, 8 + 10 + 10);
    cluster.ended(policy, other, 1);
    assertThat(costs(policy)).containsExactly(5, 8);
  }

  /** Worker 1 computes 1 2 8 9 already: prefill (64 + 64) / 16, decode 4 + (4 - 2). */
  @Test
  void blocksSharedWithWhatIsInFlightCountOnce() {
    KvAware policy = policy();
    place(policy, request(9, 64, 1, 2, 8, 2), 1);
    assertThat(costs(policy)).containsExactly(5, 8 + 6);
  }

  /** 1 2 3 4 on worker 0, where 3 of 4 are cached, leaves 16 tokens to prefill: (16 + 64) / 16. */
  @Test
  void whatIsCachedIsNoBacklog() {
    KvAware policy = policy("trackActiveBlocks", "false");
    place(policy, request(9, 64, 1, 4), 0);
    assertThat(costs(policy, request(1, 64))).startsWith(5, 4);
  }

  /**
   * Credit 2 · 3 = 6. Idle: max(0, 4 - 6). With 160 tokens of others: 14 - 6, not 10 + max(0, 4 -
   * 6).
   */
  @Test
  void aCreditAboveOneErasesBacklogOfOthersAndTheClampComesLast() {
    KvAware policy = policy("overlapScoreCredit", "2");
    assertThat(costs(policy)).containsExactly(0 + 4, 8);
    placeShortPrompts(policy, 0);
    assertThat(costs(policy)).containsExactly(8 + 4, 8);
  }

  /** Backlog of 10 blocks = 2.5 prompts of 4 blocks: decay 1 / (1 + 1 · 2.5), credit 3 / 3.5. */
  @Test
  void theCreditDecaysWithTheBacklogAboveTheLeast() {
    KvAware policy = policy("overlapScoreCreditDecay", "1");
    assertThat(costs(policy)).as("no backlog, no decay").containsExactly(5, 8);
    placeShortPrompts(policy, 0);
    assertThat(costs(policy)[0]).isCloseTo(14 - 3 / 3.5 + 4, within(1e-12));
    placeShortPrompts(policy, 1);
    assertThat(costs(policy)).as("as much everywhere").containsExactly(15, 18);
  }

  /** Without worker 1 nobody has less backlog than worker 0. */
  @Test
  void theLeastBacklogIsThatOfTheCandidates() {
    KvAware policy = policy("overlapScoreCreditDecay", "1");
    placeShortPrompts(policy, 0);
    assertThat(policy.price(REQUEST, cluster.candidates(0))[0]).isEqualTo(15);
  }

  @Test
  void termsAreWeighted() {
    cluster.workers[0].requests = 3;
    assertThat(costs(policy("prefillLoadScale", "2"))).containsExactly(2 + 4, 8 + 4);
    assertThat(costs(policy("decodeActiveRequestWeight", "0.5"))).containsExactly(5 + 1.5, 8);
    assertThat(costs(policy("trackActiveBlocks", "false"))).containsExactly(1, 4);
    assertThat(costs(policy("trackPrefillTokens", "false"))).containsExactly(4, 4);
  }

  /** 70 tokens: prefill 70 / 16 = 4.375; the partial block has no hash, so decode is 4. */
  @Test
  void partialBlocksCountInThePrefillTermOnly() {
    assertThat(costs(policy(), request(0, 70, 1, 4))).containsExactly(1.375 + 4, 4.375 + 4);
  }

  /** Two equal lowest of three: 3,000 requests, 1,500 each, standard deviation 27. */
  @Test
  void equalLowestCostsAreDrawnFromEvenly() {
    FakeCluster four = new FakeCluster(4);
    for (int worker : new int[] {0, 2, 3}) {
      four.cache(worker, 1, 3);
    }
    int[] taken = taken(four, 3_000, "temperature", "0");
    assertThat(taken[1]).isZero();
    for (int worker : new int[] {0, 2, 3}) {
      assertThat(taken[worker]).isBetween(900, 1_100);
    }
  }

  @Test
  void theDrawDependsOnSeedAndRequestAlone() {
    FakeCluster idle = new FakeCluster(64);
    RoutingPolicy policy = idle.policy(KvAware.FACTORY);
    int seventh = policy.choose(request(7, 64), idle.candidates());
    RoutingPolicy again = idle.policy(KvAware.FACTORY);
    again.choose(request(3, 64), idle.candidates());
    assertThat(again.choose(request(7, 64), idle.candidates())).isEqualTo(seventh);
  }

  @Test
  void aSingleCandidateIsTaken() {
    assertThat(policy().choose(REQUEST, cluster.candidates(1))).isZero();
    assertThat(policy("temperature", "1").choose(REQUEST, cluster.candidates(1))).isZero();
  }

  /**
   * Costs c, c + 1, c + 2 (2, 1 and 0 blocks cached). T = 1: weights 1, e^-0.5, e^-1; T = 1/4: 1,
   * e^-2, e^-4. 40,000 requests: standard deviation at most 0.0025.
   */
  @Test
  void aTemperatureDrawsBySoftmaxOfTheNormalisedCosts() {
    FakeCluster three = new FakeCluster(3);
    three.cache(0, 1, 2);
    three.cache(1, 1, 1);
    assertShares(taken(three, 40_000, "temperature", "1"), 0.5065, 0.3072, 0.1863);
    assertShares(taken(three, 40_000, "temperature", "0.25"), 0.8668, 0.1173, 0.0159);
  }

  @Test
  void aTemperatureOverEqualCostsDrawsEvenly() {
    assertShares(taken(new FakeCluster(4), 40_000, "temperature", "1"), 0.25, 0.25, 0.25, 0.25);
  }

  /**
   * Device 1 2, host 3, disk 4 on worker 0: effective 2 + 0.75 + 0.25 = 3 blocks, 48 tokens;
   * prefill 4 - 3. On worker 1 the host holds 1 2, but nothing stands on the device: 2 · 0.75.
   */
  @Test
  void slowerTiersContinueTheDevicesPrefix() {
    FakeCluster tiers = new FakeCluster(2);
    tiers.cache(0, 1, 2);
    tiers.host.add(3, 0);
    tiers.disk.add(4, 0);
    tiers.host.add(1, 1);
    tiers.host.add(2, 1);
    tiers.disk.add(4, 1);
    KvAware policy = (KvAware) tiers.policy(KvAware.FACTORY);
    assertThat(policy.price(REQUEST, tiers.candidates())).containsExactly(1 + 4, 2.5 + 4);
    assertThat(policy.cachedTokens(REQUEST, 0)).isEqualTo(48);
    assertThat(policy.cachedTokens(REQUEST, 1)).isEqualTo(24);
    assertThat(policy.believedBlocks(0)).isEqualTo(4);
  }

  /**
   * All 4 blocks in the shared pool at 0.5: a worker with 2 on the device gets 2 + 0.5 · 2 = 3, one
   * with none 0.5 · 4 = 2. Gaps do not matter.
   */
  @Test
  void theSharedPoolCountsBeyondTheDevice() {
    FakeCluster tiers = new FakeCluster(2);
    tiers.cache(0, 1, 2);
    for (long key = 1; key <= 4; key++) {
      tiers.shared.add(key, 0);
    }
    KvAware policy = (KvAware) tiers.policy(KvAware.FACTORY, "sharedCacheMultiplier", "0.5");
    assertThat(policy.price(REQUEST, tiers.candidates())).containsExactly(1 + 4, 2 + 4);
    tiers.shared.remove(3, 0);
    assertThat(policy.price(REQUEST, tiers.candidates())).containsExactly(1.5 + 4, 2.5 + 4);
  }

  /** max(0, 4 - 3) · (4 + 1) and 4 · 5. */
  @Test
  void lmetricMultipliesUncachedPrefillAndDecode() {
    assertThat(costs(policy("selection", "lmetric"))).containsExactly(5, 20);
  }

  /** No prefill: max(0, 4 - 3) + 2 · 0.5 and max(0, 4 - 0). */
  @Test
  void aDecodeWorkerTakesTheCreditOffItsDecodeTerm() {
    cluster.workers[0].requests = 2;
    KvAware policy =
        policy(
            "stage", "decode", "trackPrefillTokens", "false", "decodeActiveRequestWeight", "0.5");
    assertThat(costs(policy)).containsExactly(1 + 1, 4);
  }

  /** exp(-tanh(1)) = 0.46692, exp(-tanh(-20)) = e. */
  @Test
  void preferencesMultiplyTheCost() {
    cluster.prefer(0, 1);
    cluster.prefer(1, -20);
    double[] costs = costs(policy());
    assertThat(costs[0]).isCloseTo(5 * 0.466921, within(1e-4));
    assertThat(costs[1]).isCloseTo(8 * Math.E, within(1e-9));
  }

  /** Two requests of the same 4 blocks in flight: 4 + 4 + 4 instead of 4. */
  @Test
  void withoutKvReuseEveryRequestsBlocksCount() {
    KvAware policy = policy("assumeKvReuse", "false", "trackPrefillTokens", "false");
    place(policy, request(8, 64, 1, 4), 1);
    place(policy, request(9, 64, 1, 4), 1);
    assertThat(costs(policy)).containsExactly(4, 12);
  }

  /** The identical prompt was just placed on worker 1; no event has come. */
  @Test
  void predictedEntriesCountUntilTheyExpire() {
    RoutedRequest first = request(7, 64, 50, 4);
    RoutedRequest second = FakeCluster.request(8, 8, 4_999_999_999L, 64, 50, 4);
    RoutedRequest later = FakeCluster.request(9, 9, 5_000_000_000L, 64, 50, 4);
    KvAware policy = (KvAware) cluster.policy(KvAware.PREDICTED);
    place(policy, first, 1);
    policy.choose(second, cluster.candidates());
    assertThat(policy.believedBlocks(1)).isEqualTo(4);
    policy.choose(later, cluster.candidates());
    assertThat(policy.believedBlocks(1)).isZero();
    KvAware without = policy();
    place(without, first, 1);
    without.choose(second, cluster.candidates());
    assertThat(without.believedBlocks(1)).isZero();
  }

  /** Idle, all workers equal: the load-aware preset sees no cache. */
  @Test
  void presetsAreTheSamePolicyWithOtherDefaults() {
    KvAware loadAware = (KvAware) cluster.policy(KvAware.DYNAMO_LOAD_AWARE_2026_07);
    assertThat(costs(loadAware)).containsExactly(8, 8);
    cluster.workers[1].requests = 1;
    KvAware agentic = (KvAware) cluster.policy(KvAware.DYNAMO_AGENTIC_2026_07);
    assertThat(costs(agentic)).containsExactly(4 * 0 + 4, 4 * 4 + 4 + 64);
    KvAware lmetric = (KvAware) cluster.policy(KvAware.DYNAMO_LMETRIC_2026_07);
    assertThat(costs(lmetric)).containsExactly(5, 20);
  }

  @Test
  void tiesMayGoToTheFirst() {
    FakeCluster idle = new FakeCluster(4);
    RoutingPolicy first = idle.policy(KvAware.FACTORY, "ties", "first");
    for (int id = 0; id < 20; id++) {
      assertThat(first.choose(request(id, 64), idle.candidates())).isZero();
    }
  }

  private static void assertShares(int[] taken, double... shares) {
    int sum = Arrays.stream(taken).sum();
    for (int i = 0; i < shares.length; i++) {
      assertThat(taken[i] / (double) sum).isCloseTo(shares[i], within(0.01));
    }
  }

  private static int[] taken(FakeCluster cluster, int requests, String... parameters) {
    RoutingPolicy policy = cluster.policy(KvAware.FACTORY, parameters);
    int[] taken = new int[cluster.workers.length];
    for (int id = 0; id < requests; id++) {
      taken[policy.choose(request(id, 64, 1, 4), cluster.candidates())]++;
    }
    return taken;
  }

  private KvAware policy(String... parameters) {
    return (KvAware) cluster.policy(KvAware.FACTORY, parameters);
  }

  private double[] costs(KvAware policy) {
    return costs(policy, REQUEST);
  }

  private double[] costs(KvAware policy, RoutedRequest request) {
    return policy.price(request, cluster.candidates()).clone();
  }

  /** 160 tokens to prefill in prompts too short to fill a block: 10 · 15 + 10. */
  private void placeShortPrompts(KvAware policy, int worker) {
    for (int i = 0; i < 11; i++) {
      place(policy, request(100 + 20 * worker + i, i < 10 ? 15 : 10), worker);
    }
  }

  private void place(KvAware policy, RoutedRequest request, int worker) {
    cluster.place(policy, request, worker);
  }
}

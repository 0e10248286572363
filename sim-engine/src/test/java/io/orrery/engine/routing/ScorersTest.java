package io.orrery.engine.routing;

import static io.orrery.engine.routing.FakeCluster.request;
import static org.assertj.core.api.Assertions.assertThat;

import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** Three workers; the prompt is 4 blocks, of which worker 0 was given 2 before. */
class ScorersTest {
  private static final RoutedRequest REQUEST = request(9, 64, 1, 4);
  private final FakeCluster cluster = new FakeCluster(3);

  private double[] scores(String... parameters) {
    Scorers policy = (Scorers) cluster.policy(Scorers.FACTORY, parameters);
    policy.placed(request(0, 32, 1, 2), 0);
    policy.choose(REQUEST, cluster.candidates());
    double[] negated = policy.score(REQUEST, cluster.candidates());
    return new double[] {-negated[0], -negated[1], -negated[2]};
  }

  /**
   * Prefix 2/4, 0, 0 by 3; queue (4-4)/4, (4-0)/4, (4-2)/4 by 2; free KV 0.5, 1, 1 by 2: 2.5, 4, 3.
   */
  @Test
  void scoresAreWeightedAndAdded() {
    cluster.workers[0].waiting = 4;
    cluster.workers[2].waiting = 2;
    cluster.workers[0].usedBlocks = 500;
    assertThat(scores()).containsExactly(new double[] {2.5, 4, 3}, Offset.offset(1e-12));
  }

  /** Equal queues score 1 each: 1.5 + 2 + 2, 2 + 2, 2 + 2. */
  @Test
  void whereAllAreEqualAllScoreOne() {
    assertThat(scores()).containsExactly(new double[] {5.5, 4, 4}, Offset.offset(1e-12));
  }

  /** Batches of 1, 3 and 2 by 4: 4, 0 and 2 more. */
  @Test
  void smallBatchesCanCountAsWell() {
    cluster.workers[0].running = 1;
    cluster.workers[1].running = 3;
    cluster.workers[2].running = 2;
    assertThat(scores("runningWeight", "4"))
        .containsExactly(new double[] {9.5, 4, 6}, Offset.offset(1e-12));
  }

  /** Only the first block is looked at: 1 of 1. */
  @Test
  void longPromptsAreMatchedAtTheirBeginning() {
    assertThat(scores("maxPrefixBlocks", "1")[0]).isCloseTo(3 + 4, Offset.offset(1e-12));
  }

  @Test
  void thePrecisePresetReadsTheIndex() {
    cluster.cache(2, 1, 3);
    RoutingPolicy policy = cluster.policy(Scorers.LLM_D_PRECISE);
    assertThat(policy.choose(REQUEST, cluster.candidates())).isEqualTo(2);
    assertThat(policy.believedBlocks(2)).isEqualTo(3);
  }
}

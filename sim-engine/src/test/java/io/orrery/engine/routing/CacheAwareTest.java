package io.orrery.engine.routing;

import static io.orrery.engine.routing.FakeCluster.request;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Prompts of 10 blocks. */
class CacheAwareTest {
  private final FakeCluster cluster = new FakeCluster(3);

  /** 3 of 10 blocks is not more than 0.3 of the prompt, 4 of 10 is. */
  @Test
  void aLongEnoughMatchIsFollowedElseTheSmallestTree() {
    RoutingPolicy policy = cluster.policy(CacheAware.FACTORY);
    assertThat(cluster.place(policy, request(0, 160, 1, 10))).as("all empty").isZero();
    assertThat(cluster.place(policy, request(1, 160, 1, 3, 50, 7))).as("3 of 10").isEqualTo(1);
    assertThat(cluster.place(policy, request(2, 160, 1, 4, 70, 6))).as("4 of 10").isZero();
    assertThat(cluster.place(policy, request(3, 160, 200, 10))).as("new").isEqualTo(2);
    assertThat(policy.believedBlocks(0)).isZero();
  }

  /** 70 and 5 requests: 65 above, and more than 1.5 times 5. */
  @Test
  void outOfBalanceTheFewestRequestsWin() {
    RoutingPolicy policy = cluster.policy(CacheAware.FACTORY);
    cluster.place(policy, request(0, 160, 1, 10), 0);
    cluster.workers[0].requests = 69;
    cluster.workers[1].requests = 5;
    cluster.workers[2].requests = 6;
    RoutedRequest again = request(1, 160, 1, 10);
    assertThat(policy.choose(again, cluster.candidates())).as("64 above").isZero();
    cluster.workers[0].requests = 70;
    assertThat(policy.choose(again, cluster.candidates())).isEqualTo(1);
    cluster.workers[1].requests = 200;
    cluster.workers[2].requests = 210;
    cluster.workers[0].requests = 290;
    assertThat(policy.choose(again, cluster.candidates())).as("only 1.45 times").isZero();
  }

  /** Room for 12 blocks: the second prompt pushes out 8 blocks of the first. */
  @Test
  void whatIsRememberedIsBounded() {
    RoutingPolicy policy = cluster.policy(CacheAware.FACTORY, "maxTreeTokens", "192");
    cluster.place(policy, request(0, 160, 1, 10), 0);
    cluster.place(policy, request(1, 160, 50, 10), 0);
    policy.choose(request(2, 160, 1, 10), cluster.candidates());
    assertThat(policy.believedBlocks(0)).isEqualTo(2);
  }

  /** 40 and 5: 35 above 32, under the first defaults. */
  @Test
  void thePresetHasTheFirstDefaults() {
    RoutingPolicy policy = cluster.policy(CacheAware.SGLANG_2024_12);
    cluster.place(policy, request(0, 160, 1, 10), 0);
    cluster.workers[0].requests = 40;
    cluster.workers[1].requests = 5;
    cluster.workers[2].requests = 6;
    assertThat(policy.choose(request(1, 160, 1, 10), cluster.candidates())).isEqualTo(1);
  }
}

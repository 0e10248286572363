package io.orrery.engine.routing;

import static io.orrery.engine.routing.FakeCluster.request;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Blocks of 16 tokens, prompts of 64. */
class OracleRoutingTest {
  private final FakeCluster cluster = new FakeCluster(3);
  private final RoutingPolicy policy = cluster.policy(OracleRouting.FACTORY);

  /** Three of four blocks are on worker 2: 16 tokens are left there, 64 elsewhere. */
  @Test
  void theFewestTokensLeftToCompute() {
    cluster.cache(2, 1, 3);
    assertThat(policy.choose(request(0, 64, 1, 4), cluster.candidates())).isEqualTo(2);
    assertThat(policy.cachedTokens(request(0, 64, 1, 4), 2)).isEqualTo(48);
  }

  @Test
  void equalOnesByRequestsInFlightThenById() {
    cluster.workers[0].requests = 1;
    assertThat(policy.choose(request(0, 64, 1, 4), cluster.candidates())).isEqualTo(1);
    cluster.workers[0].requests = 0;
    assertThat(policy.choose(request(1, 64, 1, 4), cluster.candidates())).isZero();
  }
}

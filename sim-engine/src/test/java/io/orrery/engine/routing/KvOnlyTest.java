package io.orrery.engine.routing;

import static io.orrery.engine.routing.FakeCluster.request;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class KvOnlyTest {
  private final FakeCluster cluster = new FakeCluster(3);

  @Test
  void theLongestPrefixWinsWhateverTheLoad() {
    cluster.cache(1, 1, 2);
    cluster.cache(2, 1, 1);
    cluster.workers[1].requests = 1_000;
    RoutingPolicy policy = cluster.policy(KvOnly.FACTORY);
    assertThat(policy.choose(request(0, 64, 1, 4), cluster.candidates())).isEqualTo(1);
    assertThat(policy.believedBlocks(1)).isEqualTo(2);
  }

  @Test
  void equalPrefixesAreToldApartByRequestsAndThenByTurn() {
    cluster.workers[0].requests = 1;
    RoutingPolicy policy = cluster.policy(KvOnly.FACTORY);
    assertThat(cluster.place(policy, request(0, 64, 1, 4))).isEqualTo(1);
    assertThat(cluster.place(policy, request(1, 64, 1, 4))).isEqualTo(2);
    assertThat(cluster.place(policy, request(2, 64, 1, 4))).as("never chosen").isZero();
  }

  /** Nothing has reached the index, but worker 1 was given the same prompt. */
  @Test
  void withoutEventsItBelievesItsOwnDecisions() {
    RoutingPolicy policy = cluster.policy(KvOnly.FACTORY, "index", "approximate");
    cluster.place(policy, request(0, 64, 1, 4), 1);
    cluster.workers[1].requests = 50;
    assertThat(cluster.place(policy, request(1, 64, 1, 4))).isEqualTo(1);
    assertThat(cluster.place(cluster.policy(KvOnly.FACTORY), request(2, 64, 1, 4))).isZero();
  }
}

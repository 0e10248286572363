package io.orrery.engine.routing;

import static io.orrery.engine.routing.FakeCluster.request;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GlobalLoadBalancerTest {
  private final FakeCluster cluster = new FakeCluster(3);

  private static RoutedRequest ofSession(int id, int session) {
    return request(id, session, 0L, 64);
  }

  @Test
  void aNewSessionGoesToTheFewestRequestsAndOfEqualsToTheFirst() {
    RoutingPolicy policy = cluster.policy(GlobalLoadBalancer.FACTORY);
    assertThat(cluster.place(policy, ofSession(0, 0))).isZero();
    assertThat(cluster.place(policy, ofSession(1, 1))).isEqualTo(1);
    assertThat(cluster.place(policy, ofSession(2, 2))).isEqualTo(2);
    assertThat(cluster.place(policy, ofSession(3, 3))).isZero();
  }

  @Test
  void aSessionStaysWhateverTheLoadAndHoweverLong() {
    RoutingPolicy policy = cluster.policy(GlobalLoadBalancer.FACTORY);
    assertThat(cluster.place(policy, ofSession(0, 7))).isZero();
    cluster.workers[0].requests = 1_000;
    assertThat(cluster.place(policy, request(1, 7, Long.MAX_VALUE / 2, 64))).isZero();
    assertThat(cluster.place(policy, ofSession(2, 7), 1, 2)).as("its worker is gone").isEqualTo(1);
    assertThat(cluster.place(policy, ofSession(3, 7))).isEqualTo(1);
  }

  /** Room for two sessions: 0 is used again, so 1 goes when 2 comes. */
  @Test
  void theSessionUsedLongestAgoIsForgotten() {
    RoutingPolicy policy = cluster.policy(GlobalLoadBalancer.FACTORY, "mostSessions", "2");
    cluster.place(policy, ofSession(0, 0));
    assertThat(cluster.place(policy, ofSession(1, 1))).isEqualTo(1);
    cluster.place(policy, ofSession(2, 0));
    assertThat(cluster.place(policy, ofSession(3, 2))).isEqualTo(2);
    cluster.workers[0].requests = 9;
    assertThat(cluster.place(policy, ofSession(4, 0))).as("still known").isZero();
    cluster.workers[1].requests = 9;
    assertThat(cluster.place(policy, ofSession(5, 1))).as("new again").isEqualTo(2);
  }
}

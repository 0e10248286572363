package io.orrery.engine.routing;

import static io.orrery.engine.routing.FakeCluster.request;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PowerOfTwoTest {
  /** With two workers both are always drawn, so the less loaded one is always taken. */
  @Test
  void drawsTwoDifferentWorkers() {
    FakeCluster cluster = new FakeCluster(2);
    RoutingPolicy policy = cluster.policy(PowerOfTwo.FACTORY);
    for (int id = 0; id < 10_000; id++) {
      int busy = id % 2;
      cluster.workers[busy].requests = 1;
      cluster.workers[1 - busy].requests = 0;
      assertThat(policy.choose(request(id, 100), cluster.candidates())).isEqualTo(1 - busy);
    }
  }

  /**
   * Loads 0, 1, 2, 3: of the 6 equally likely pairs worker 0 is the less loaded of 3, worker 1 of
   * 2, worker 2 of 1, worker 3 of none. 6,000 requests: standard deviation at most 39.
   */
  @Test
  void everyPairIsEquallyLikely() {
    FakeCluster cluster = new FakeCluster(4);
    for (FakeWorker worker : cluster.workers) {
      worker.tokens = worker.id();
    }
    int[] taken = taken(cluster, "load", "tokens");
    assertThat(taken[0]).isBetween(2_850, 3_150);
    assertThat(taken[1]).isBetween(1_850, 2_150);
    assertThat(taken[2]).isBetween(850, 1_150);
    assertThat(taken[3]).isZero();
  }

  @Test
  void equalLoadsFavourNobody() {
    for (int count : taken(new FakeCluster(4))) {
      assertThat(count).isBetween(1_350, 1_650);
    }
  }

  @Test
  void aSingleCandidateIsTaken() {
    FakeCluster cluster = new FakeCluster(4);
    assertThat(cluster.policy(PowerOfTwo.FACTORY).choose(request(0, 100), cluster.candidates(3)))
        .isZero();
  }

  private static int[] taken(FakeCluster cluster, String... parameters) {
    RoutingPolicy policy = cluster.policy(PowerOfTwo.FACTORY, parameters);
    int[] taken = new int[4];
    for (int id = 0; id < 6_000; id++) {
      taken[policy.choose(request(id, 100), cluster.candidates())]++;
    }
    return taken;
  }
}

package io.orrery.engine.routing;

import static io.orrery.engine.routing.FakeCluster.request;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Worker 0 weighs 1, worker 1 weighs 2. */
class WeightedTest {
  private final FakeCluster cluster = new FakeCluster(2);

  /** (0+1)/1 and (0+1)/2, (1+1)/2 and 1: equal, never chosen first; 2/1 and 2/2; 2 and 3/2; … */
  @Test
  void loadIsSharedOutByTheWeightsOfThePools() {
    cluster.workers[1].weight = 2;
    RoutingPolicy policy = cluster.policy(Weighted.FACTORY);
    int[] placed = new int[6];
    for (int i = 0; i < placed.length; i++) {
      placed[i] = cluster.place(policy, request(i, 64));
    }
    assertThat(placed).containsExactly(1, 0, 1, 1, 0, 1);
  }

  @Test
  void weightsMayBeGpusOrKvBlocks() {
    cluster.workers[1].gpus = 4;
    cluster.workers[0].totalBlocks = 5000;
    RoutedRequest request = request(0, 64);
    assertThat(
            cluster
                .policy(Weighted.FACTORY, "weightBy", "gpus")
                .choose(request, cluster.candidates()))
        .isEqualTo(1);
    assertThat(
            cluster
                .policy(Weighted.FACTORY, "weightBy", "kv")
                .choose(request, cluster.candidates()))
        .isZero();
  }
}

package io.orrery.engine.routing;

import static io.orrery.engine.routing.FakeCluster.request;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class UniformRandomTest {
  /** 4,000 requests on 4 workers: 1,000 each, standard deviation 27. */
  @Test
  void takesEveryWorkerEquallyOften() {
    FakeCluster cluster = new FakeCluster(4);
    RoutingPolicy policy = cluster.policy(UniformRandom.FACTORY);
    int[] taken = new int[4];
    for (int id = 0; id < 4_000; id++) {
      taken[policy.choose(request(id, 100), cluster.candidates())]++;
    }
    for (int count : taken) {
      assertThat(count).isBetween(900, 1100);
    }
  }

  @Test
  void theChoiceDependsOnSeedAndRequestAlone() {
    FakeCluster cluster = new FakeCluster(64);
    RoutingPolicy policy = cluster.policy(UniformRandom.FACTORY);
    RoutingPolicy again = cluster.policy(UniformRandom.FACTORY);
    int seventh = policy.choose(request(7, 100), cluster.candidates());
    again.choose(request(3, 100), cluster.candidates());
    assertThat(again.choose(request(7, 999), cluster.candidates())).isEqualTo(seventh);

    int different = 0;
    RoutingPolicy otherSeed = cluster.seed(2).policy(UniformRandom.FACTORY);
    for (int id = 0; id < 100; id++) {
      RoutedRequest request = request(id, 100);
      if (otherSeed.choose(request, cluster.candidates())
          != policy.choose(request, cluster.candidates())) {
        different++;
      }
    }
    assertThat(different).isGreaterThan(90);
  }
}

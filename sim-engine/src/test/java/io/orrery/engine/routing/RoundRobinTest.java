package io.orrery.engine.routing;

import static io.orrery.engine.routing.FakeCluster.request;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RoundRobinTest {
  private final FakeCluster cluster = new FakeCluster(4);
  private final RoutingPolicy policy = cluster.policy(RoundRobin.FACTORY);
  private int next;

  @Test
  void takesTheWorkersInTurn() {
    assertThat(chosen(6)).containsExactly(0, 1, 2, 3, 0, 1);
  }

  @Test
  void aWorkerThatIsAwayLosesItsTurnAndNobodyElseDoes() {
    assertThat(chosen(2)).containsExactly(0, 1);
    assertThat(chosen(1, 0, 1, 3)).containsExactly(3);
    assertThat(chosen(1, 1, 2, 3)).containsExactly(1);
    assertThat(chosen(3)).containsExactly(2, 3, 0);
  }

  @Test
  void aSingleCandidateIsTaken() {
    assertThat(chosen(3, 2)).containsExactly(2, 2, 2);
  }

  private int[] chosen(int times, int... candidateIds) {
    Candidates candidates = cluster.candidates(candidateIds);
    int[] ids = new int[times];
    for (int i = 0; i < times; i++) {
      ids[i] = candidates.get(policy.choose(request(next++, 100), candidates)).id();
    }
    return ids;
  }
}

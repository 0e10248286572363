package io.orrery.engine.routing;

import static io.orrery.engine.routing.FakeCluster.request;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LeastLoadedTest {
  private final FakeCluster cluster = new FakeCluster(3);

  @Test
  void countsRequestsByDefaultAndOfEqualsNeverChosenTakesTheLowestId() {
    load(0, 5, 10, 1);
    load(1, 3, 9_000, 900);
    load(2, 3, 10, 1);
    assertThat(chosen()).isEqualTo(1);
    assertThat(chosen("load", "requests")).isEqualTo(1);
  }

  @Test
  void countsTokensAndOfEqualsTakesTheFewestRequests() {
    load(0, 1, 9_000, 0);
    load(1, 9, 8_000, 0);
    load(2, 8, 8_000, 0);
    assertThat(chosen("load", "tokens")).isEqualTo(2);
  }

  /** 30 of 100 blocks are a greater share than 200 of 1000. */
  @Test
  void countsTheShareOfKvBlocksAndOfEqualsTakesTheFewestRequests() {
    load(0, 1, 0, 30);
    cluster.workers[0].totalBlocks = 100;
    load(1, 9, 0, 200);
    assertThat(chosen(cluster.candidates(0, 1), "load", "kv")).isEqualTo(1);

    load(2, 8, 0, 20);
    cluster.workers[2].totalBlocks = 100;
    assertThat(chosen("load", "kv")).as("20 of 100, with fewer requests").isEqualTo(2);
  }

  @Test
  void equalsTakeTurns() {
    RoutingPolicy policy = cluster.policy(LeastLoaded.FACTORY);
    int[] chosen = new int[7];
    for (int i = 0; i < chosen.length; i++) {
      chosen[i] = policy.choose(request(i, 100), cluster.candidates());
      policy.placed(request(i, 100), chosen[i]);
    }
    assertThat(chosen).containsExactly(0, 1, 2, 0, 1, 2, 0);

    // Worker 1 is the next in turn, but busier than 2.
    load(1, 1, 0, 0);
    assertThat(policy.choose(request(7, 100), cluster.candidates())).isEqualTo(2);
  }

  @Test
  void aSingleCandidateIsTakenWhateverItsLoad() {
    load(2, 1_000_000, Long.MAX_VALUE, Integer.MAX_VALUE);
    for (String load : new String[] {"requests", "tokens", "kv"}) {
      assertThat(chosen(cluster.candidates(2), "load", load)).isZero();
    }
  }

  private void load(int worker, int requests, long tokens, int usedBlocks) {
    cluster.workers[worker].requests = requests;
    cluster.workers[worker].tokens = tokens;
    cluster.workers[worker].usedBlocks = usedBlocks;
  }

  private int chosen(String... parameters) {
    return chosen(cluster.candidates(), parameters);
  }

  private int chosen(Candidates candidates, String... parameters) {
    return cluster.policy(LeastLoaded.FACTORY, parameters).choose(request(0, 100), candidates);
  }

  /** 64 and 32 tokens still to be computed on 0 and 1; 2 has many requests, but none to compute. */
  @Test
  void canCountPromptTokensStillToBeComputed() {
    RoutingPolicy policy = cluster.policy(LeastLoaded.FACTORY, "load", "pending-prefill");
    cluster.load.placed(request(0, 64), 0, 64);
    cluster.load.placed(request(1, 64), 1, 32);
    cluster.workers[2].requests = 9;
    assertThat(policy.choose(request(2, 64), cluster.candidates())).isEqualTo(2);
    assertThat(policy.choose(request(3, 64), cluster.candidates(0, 1))).isEqualTo(1);
  }
}

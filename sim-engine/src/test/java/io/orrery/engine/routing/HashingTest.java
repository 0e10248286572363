package io.orrery.engine.routing;

import static io.orrery.engine.routing.FakeCluster.request;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What consistent and rendezvous hashing have in common; four workers, sessions of one request. */
class HashingTest {
  private final FakeCluster cluster = new FakeCluster(4);

  private RoutingPolicy policy(String name, String... parameters) {
    return cluster.policy(RoutingPolicies.named(name), parameters);
  }

  private static RoutedRequest ofSession(int id, int session) {
    return request(id, session, 0L, 64);
  }

  @ParameterizedTest
  @ValueSource(strings = {"consistent-hash", "rendezvous"})
  void aSessionKeepsItsWorkerAndSessionsSpread(String name) {
    RoutingPolicy policy = policy(name);
    int[] sessions = new int[4];
    for (int s = 0; s < 4_000; s++) {
      int worker = policy.choose(ofSession(s, s), cluster.candidates());
      assertThat(policy.choose(ofSession(s + 5_000, s), cluster.candidates())).isEqualTo(worker);
      sessions[worker]++;
    }
    assertThat(Arrays.stream(sessions).min().orElseThrow()).isGreaterThan(700);
    assertThat(Arrays.stream(sessions).max().orElseThrow()).isLessThan(1_300);
  }

  /** Without worker 3 only its own sessions move. */
  @ParameterizedTest
  @ValueSource(strings = {"consistent-hash", "rendezvous"})
  void aWorkerThatGoesMovesItsOwnSessionsOnly(String name) {
    RoutingPolicy policy = policy(name);
    for (int s = 0; s < 500; s++) {
      int before = policy.choose(ofSession(s, s), cluster.candidates());
      int after = policy.choose(ofSession(s, s), cluster.candidates(0, 1, 2));
      if (before != 3) {
        assertThat(after).isEqualTo(before);
      }
    }
  }

  /** 7 requests in flight and 1 to come: at most ceil(1.25 · 8 / 4) = 3 on a worker. */
  @ParameterizedTest
  @ValueSource(strings = {"consistent-hash", "rendezvous"})
  void whoFindsItsWorkerFullGoesToTheNext(String name) {
    RoutingPolicy policy = policy(name);
    int home = policy.choose(ofSession(0, 17), cluster.candidates());
    for (FakeWorker worker : cluster.workers) {
      worker.requests = worker.id() == home ? 2 : 1;
    }
    cluster.workers[(home + 1) % 4].requests += 2;
    assertThat(policy.choose(ofSession(1, 17), cluster.candidates())).isEqualTo(home);
    cluster.workers[home].requests = 3;
    cluster.workers[(home + 1) % 4].requests = 2;
    int next = policy.choose(ofSession(2, 17), cluster.candidates());
    assertThat(next).isNotEqualTo(home);
    assertThat(policy(name, "loadFactor", "1000").choose(ofSession(3, 17), cluster.candidates()))
        .isEqualTo(home);
  }

  @ParameterizedTest
  @ValueSource(strings = {"consistent-hash", "rendezvous"})
  void childrenMayGoWhereTheirParentGoes(String name) {
    RoutingPolicy apart = policy(name);
    RoutingPolicy together = policy(name, "children", "parent");
    int strays = 0;
    for (int parent = 0; parent < 50; parent++) {
      int home = apart.choose(ofSession(0, parent), cluster.candidates());
      RoutedRequest child = request(1, 64).set(1, 1_000 + parent, parent, 64, 0, 16, 0);
      assertThat(together.choose(child, cluster.candidates())).isEqualTo(home);
      strays += apart.choose(child, cluster.candidates()) == home ? 0 : 1;
    }
    assertThat(strays).isGreaterThan(20);
  }
}

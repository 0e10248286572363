package io.orrery.engine.routing;

import static io.orrery.engine.routing.FakeCluster.request;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Three workers; the binding lives 10 s. Before each request worker 2 is the least loaded. */
class SessionAffinityTest {
  private static final long SECOND = 1_000_000_000L;
  private static final int SESSION = 7;

  private final FakeCluster cluster = new FakeCluster(3);
  private final RoutingPolicy policy = cluster.policy(SessionAffinity.FACTORY, "ttl", "10 s");
  private int nextRequest;

  @BeforeEach
  void worker2IsTheLeastLoaded() {
    leastLoaded(2);
  }

  @Test
  void theFirstRequestBindsToTheLeastLoadedWorkerAndLaterOnesFollow() {
    assertThat(start(SESSION, 0)).isEqualTo(2);
    leastLoaded(1);
    assertThat(start(SESSION, 1 * SECOND)).isEqualTo(2);
    assertThat(start(SESSION + 1, 1 * SECOND)).as("another session").isEqualTo(1);
  }

  /** An idle cluster: sessions spread although no request is in flight when the next one comes. */
  @Test
  void ofEquallyLoadedWorkersTheOneWithFewestSessionsIsBound() {
    for (FakeWorker worker : cluster.workers) {
      worker.requests = 0;
    }
    int[] bound = new int[6];
    for (int session = 0; session < bound.length; session++) {
      bound[session] = start(session, session * SECOND / 10);
      end(session, bound[session], session * SECOND / 10 + 1);
    }
    assertThat(bound).containsExactly(0, 1, 2, 0, 1, 2);
    // After 10 s without a request the bindings are gone, and the turn is the longest unused one's.
    assertThat(start(100, 60 * SECOND)).isEqualTo(0);
  }

  @Test
  void nothingIsBoundUntilARequestIsPlaced() {
    policy.choose(request(nextRequest++, SESSION, 0, 100), cluster.candidates());
    leastLoaded(1);
    assertThat(start(SESSION, 0)).isEqualTo(1);
  }

  @Test
  void theBindingOutlivesItsLastRequestByLessThanTheTtl() {
    start(SESSION, 0);
    end(SESSION, 2, 5 * SECOND);
    leastLoaded(1);
    assertThat(start(SESSION, 15 * SECOND - 1)).isEqualTo(2);
  }

  @Test
  void atTheTtlTheBindingIsGone() {
    start(SESSION, 0);
    end(SESSION, 2, 5 * SECOND);
    leastLoaded(1);
    assertThat(start(SESSION, 15 * SECOND)).isEqualTo(1);
    leastLoaded(0);
    assertThat(start(SESSION, 16 * SECOND)).as("bound anew").isEqualTo(1);
  }

  @Test
  void aRequestInFlightKeepsTheBindingAlive() {
    start(SESSION, 0);
    start(SESSION, 1 * SECOND);
    end(SESSION, 2, 2 * SECOND);
    leastLoaded(1);
    assertThat(start(SESSION, 100 * SECOND)).isEqualTo(2);
    end(SESSION, 2, 100 * SECOND);
    end(SESSION, 2, 101 * SECOND);
    leastLoaded(0);
    assertThat(start(SESSION, 111 * SECOND - 1)).isEqualTo(2);
  }

  @Test
  void aBoundWorkerThatIsNoCandidateLosesTheSessionForGood() {
    start(SESSION, 0);
    leastLoaded(1);
    assertThat(start(SESSION, 1 * SECOND, 0, 1)).isEqualTo(1);
    leastLoaded(2);
    assertThat(start(SESSION, 2 * SECOND)).isEqualTo(1);
  }

  /** The request left behind on the lost worker still counts as the session's. */
  @Test
  void afterARebindingAllRequestsOfTheSessionKeepItAlive() {
    start(SESSION, 0);
    leastLoaded(1);
    start(SESSION, 1 * SECOND, 0, 1);
    end(SESSION, 1, 2 * SECOND);
    leastLoaded(0);
    assertThat(start(SESSION, 50 * SECOND)).isEqualTo(1);
  }

  @Test
  void aChildSessionBindsOnItsOwn() {
    start(SESSION, 0);
    leastLoaded(1);
    RoutedRequest child = request(nextRequest++, SESSION + 1, 0, 100);
    child.set(child.id(), SESSION + 1, SESSION, 100, 0, FakeCluster.BLOCK_SIZE, 0);
    assertThat(policy.choose(child, cluster.candidates())).isEqualTo(1);
  }

  /** Bindings are forgotten in the order of use, and a live one in front hides no expired one. */
  @Test
  void manySessionsExpireEachAtItsOwnTime() {
    start(0, 0);
    for (int session = 1; session <= 20; session++) {
      leastLoaded(session % 3);
      start(session, session * SECOND);
      end(session, session % 3, session * SECOND);
    }
    leastLoaded(0);
    for (int session = 1; session <= 20; session++) {
      boolean expired = session <= 15;
      assertThat(start(session, 25 * SECOND)).isEqualTo(expired ? 0 : session % 3);
    }
    assertThat(start(0, 25 * SECOND)).as("still in flight").isEqualTo(2);
  }

  @Test
  void leastLoadedMayMeanTokens() {
    RoutingPolicy byTokens = cluster.policy(SessionAffinity.FACTORY, "load", "tokens");
    cluster.workers[0].tokens = 5;
    cluster.workers[1].tokens = 4;
    cluster.workers[2].tokens = 6;
    assertThat(byTokens.choose(request(0, 100), cluster.candidates())).isEqualTo(1);
  }

  private void leastLoaded(int least) {
    for (FakeWorker worker : cluster.workers) {
      worker.requests = worker.id() == least ? 1 : 2;
    }
  }

  private int start(int session, long nowNanos, int... candidateIds) {
    Candidates candidates = cluster.candidates(candidateIds);
    RoutedRequest request = request(nextRequest++, session, nowNanos, 100);
    int worker = candidates.get(policy.choose(request, candidates)).id();
    policy.placed(request, worker);
    return worker;
  }

  private void end(int session, int worker, long nowNanos) {
    policy.ended(request(0, session, nowNanos, 100), worker);
  }

  private RoutedRequest child(int session, int parent) {
    return request(nextRequest++, 100).set(nextRequest, session, parent, 100, 0, 16, 0);
  }

  private int start(RoutingPolicy with, RoutedRequest request, int... ids) {
    int choice = with.choose(request, cluster.candidates(ids));
    int worker = cluster.candidates(ids).get(choice).id();
    with.placed(request, worker);
    return worker;
  }

  @Test
  void aHardBindingRefusesWhereASoftOneMoves() {
    RoutingPolicy hard = cluster.policy(SessionAffinity.FACTORY, "mode", "hard");
    assertThat(start(hard, child(SESSION, -1))).isEqualTo(2);
    assertThat(hard.choose(child(SESSION, -1), cluster.candidates(0, 1)))
        .isEqualTo(RoutingPolicy.REFUSED);
    assertThat(hard.choose(child(8, -1), cluster.candidates(0, 1))).as("not bound").isNotNegative();
    RoutingPolicy soft = cluster.policy(SessionAffinity.FACTORY);
    start(soft, child(SESSION, -1));
    leastLoaded(1);
    assertThat(start(soft, child(SESSION, -1), 0, 1)).isEqualTo(1);
  }

  @Test
  void childrenGoTheirOwnWayOrNearTheirParentOrTogether() {
    RoutingPolicy own = cluster.policy(SessionAffinity.FACTORY);
    RoutingPolicy near = cluster.policy(SessionAffinity.FACTORY, "children", "near-parent");
    RoutingPolicy group = cluster.policy(SessionAffinity.FACTORY, "children", "group");
    for (RoutingPolicy each : new RoutingPolicy[] {own, near, group}) {
      assertThat(start(each, child(1, -1))).isEqualTo(2);
    }
    leastLoaded(0);
    assertThat(start(own, child(2, 1))).isEqualTo(0);
    assertThat(start(near, child(2, 1))).isEqualTo(2);
    assertThat(start(group, child(2, 1))).isEqualTo(0);
    leastLoaded(1);
    assertThat(start(own, child(3, 1))).isEqualTo(1);
    assertThat(start(near, child(3, 1), 0, 1)).as("its parent's is no candidate").isEqualTo(1);
    assertThat(start(group, child(3, 1))).as("with its sibling").isEqualTo(0);
  }

  /** Another replica bound 5 to worker 0 before; of two bindings for 7 the first stays. */
  @Test
  void synchronisedReplicasTakeOverBindingsUnlessEachKeepsItsOwn() {
    RoutingPolicy shared = cluster.policy(SessionAffinity.FACTORY);
    RoutingPolicy apart = cluster.policy(SessionAffinity.FACTORY, "bindings", "replica");
    for (RoutingPolicy each : new RoutingPolicy[] {shared, apart}) {
      each.placedElsewhere(child(5, -1), 0);
      assertThat(start(each, child(SESSION, -1))).isEqualTo(2);
      each.placedElsewhere(child(SESSION, -1), 0);
    }
    leastLoaded(1);
    assertThat(start(shared, child(5, -1))).isZero();
    assertThat(start(apart, child(5, -1))).isEqualTo(1);
    assertThat(start(shared, child(SESSION, -1))).isEqualTo(2);
    assertThat(start(apart, child(SESSION, -1))).isEqualTo(2);
  }

  @Test
  void whenThereAreAsManyBindingsAsThereMayBeFurtherSessionsAreNotBound() {
    RoutingPolicy one = cluster.policy(SessionAffinity.FACTORY, "mostBindings", "1");
    start(one, child(1, -1));
    start(one, child(2, -1));
    leastLoaded(0);
    assertThat(start(one, child(1, -1))).isEqualTo(2);
    assertThat(start(one, child(2, -1))).isEqualTo(0);
  }
}

package io.orrery.engine.routing;

import io.orrery.engine.Draws;
import io.orrery.engine.policy.PolicyParameter;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Consistent hashing of sessions with bounded loads: every worker has a number of points on a ring;
 * a session goes to the worker of the first point behind its own, and on to the next worker while
 * that one is no candidate or has its share of requests in flight, see {@link BoundedLoad}. A
 * worker that comes or goes moves few sessions. Karger et al., "Consistent Hashing and Random
 * Trees", STOC 1997.
 */
public final class ConsistentHash implements RoutingPolicy {
  static final RoutingPolicyFactory FACTORY =
      new NamedPolicy(
          "consistent-hash",
          "Hashes sessions onto a ring of workers; who finds his worker full goes on to the next.",
          List.of(
              PolicyParameter.number(
                  "virtualNodes", "160", 1, 10_000, "Points of a worker on the ring."),
              BoundedLoad.PARAMETER,
              SessionKey.PARAMETER),
          ConsistentHash::new);

  private final Draws draws;
  private final SessionKey key;
  private final BoundedLoad bound;
  private final long[] points;
  private final int[] workerOfPoint;

  /** By worker: its place among the candidates, or -1. */
  private final int[] candidateOf;

  private ConsistentHash(RoutingContext context) {
    draws = context.draws("routing.consistent-hash");
    key = SessionKey.of(context);
    bound = new BoundedLoad(context);
    candidateOf = new int[context.workers()];
    int each = (int) context.number("virtualNodes");
    record Point(long hash, int worker) {}
    Point[] ring = new Point[context.workers() * each];
    for (int i = 0; i < ring.length; i++) {
      ring[i] = new Point(draws.bits(i / each, i % each), i / each);
    }
    Arrays.sort(ring, Comparator.comparingLong(Point::hash).thenComparingInt(Point::worker));
    points = Arrays.stream(ring).mapToLong(Point::hash).toArray();
    workerOfPoint = Arrays.stream(ring).mapToInt(Point::worker).toArray();
  }

  @Override
  public int choose(RoutedRequest request, Candidates candidates) {
    Arrays.fill(candidateOf, -1);
    for (int i = 0; i < candidates.size(); i++) {
      candidateOf[candidates.get(i).id()] = i;
    }
    double most = bound.most(candidates);
    int found = Arrays.binarySearch(points, draws.bits(key.of(request), -1));
    int start = found < 0 ? -found - 1 : found;
    for (int step = 0; step < points.length; step++) {
      int i = candidateOf[workerOfPoint[(start + step) % points.length]];
      if (i >= 0 && candidates.get(i).requestsInFlight() < most) {
        return i;
      }
    }
    throw new IllegalStateException("no worker has less than the mean load");
  }
}

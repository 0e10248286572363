package io.orrery.engine.admission;

import io.orrery.engine.policy.PolicyParameter;
import io.orrery.engine.routing.RoutedRequest;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * Lets at most so many requests be on their way at once; the others wait in the order in which they
 * were sent. The limit counts requests from their admission to their end, wherever they are; it
 * says nothing about which worker they go to.
 */
public final class MaxConcurrency implements AdmissionPolicy {
  static final AdmissionPolicyFactory FACTORY =
      new NamedAdmission(
          "max-concurrency",
          "Lets at most so many requests be on their way at once; the others wait in turn.",
          List.of(
              PolicyParameter.whole(
                  "limit", "64", 1, 1e9, "Requests on their way at once, for each worker."),
              PolicyParameter.choice(
                  "per",
                  "worker",
                  List.of("worker", "cluster"),
                  "What the limit is for: the cluster takes limit times its workers, or limit in all.")),
          false,
          MaxConcurrency::new);

  private final long limit;
  private final Gate gate;
  private final Deque<Integer> waiting = new ArrayDeque<>();
  private long onTheirWay;

  private MaxConcurrency(AdmissionContext context) {
    long each = (long) context.number("limit");
    limit = context.text("per").equals("worker") ? each * context.workers() : each;
    gate = context.gate();
  }

  @Override
  public Verdict arrived(RoutedRequest request) {
    if (onTheirWay < limit) {
      onTheirWay++;
      return Verdict.ADMIT;
    }
    waiting.add(request.id());
    return Verdict.hold("concurrency-limit");
  }

  @Override
  public void ended(RoutedRequest request, int worker, int outputTokens) {
    onTheirWay--;
    Integer next = waiting.poll();
    if (next != null) {
      onTheirWay++;
      gate.release(next, Verdict.ADMIT);
    }
  }
}

package io.orrery.engine.admission;

import io.orrery.engine.policy.PolicyParameter;
import io.orrery.engine.routing.RoutedRequest;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * Rate limit: a bucket of {@code burst} permits that fills at {@code rate} permits a second, full
 * at the start. A request takes one permit, or one for each of its input tokens, and waits, behind
 * those sent before it, until they are there. One that needs more than the bucket holds takes a
 * full bucket.
 */
public final class TokenBucket implements AdmissionPolicy {
  private static final double NANOS_PER_SECOND = 1e9;

  /** Covers the rounding of a level that is a sum of products: far below one permit. */
  private static final double ROUNDING = 1e-6;

  static final AdmissionPolicyFactory FACTORY =
      new NamedAdmission(
          "token-bucket",
          "Limits the rate of requests, or of their input tokens, with bursts up to the bucket's size.",
          List.of(
              PolicyParameter.number("rate", "10", 1e-3, 1e12, "Permits added in a second."),
              PolicyParameter.number("burst", "20", 1, 1e12, "Permits that the bucket holds."),
              PolicyParameter.choice(
                  "permit",
                  "request",
                  List.of("request", "input-token"),
                  "What takes a permit: a request, or each of its input tokens.")),
          false,
          TokenBucket::new);

  private record Waiting(int request, double permits) {}

  private final double rate;
  private final double burst;
  private final boolean countsTokens;
  private final Gate gate;
  private final Deque<Waiting> waiting = new ArrayDeque<>();
  private double level;
  private long filledAt;

  private TokenBucket(AdmissionContext context) {
    rate = context.number("rate");
    burst = context.number("burst");
    countsTokens = context.text("permit").equals("input-token");
    gate = context.gate();
    level = burst;
  }

  @Override
  public Verdict arrived(RoutedRequest request) {
    fill(request.nowNanos());
    double permits = Math.min(burst, countsTokens ? request.inputTokens() : 1);
    if (waiting.isEmpty() && take(permits)) {
      return Verdict.ADMIT;
    }
    waiting.add(new Waiting(request.id(), permits));
    return Verdict.hold("rate-limit");
  }

  @Override
  public long nextTickNanos() {
    Waiting first = waiting.peek();
    if (first == null) {
      return Long.MAX_VALUE;
    }
    double missing = Math.max(0, first.permits() - level);
    return filledAt + Math.max(1, (long) Math.ceil(missing / rate * NANOS_PER_SECOND));
  }

  @Override
  public void tick(long nowNanos) {
    fill(nowNanos);
    Waiting first = waiting.peek();
    while (first != null && take(first.permits())) {
      waiting.remove();
      gate.release(first.request(), Verdict.ADMIT);
      first = waiting.peek();
    }
  }

  private void fill(long nowNanos) {
    level = Math.min(burst, level + (nowNanos - filledAt) / NANOS_PER_SECOND * rate);
    filledAt = nowNanos;
  }

  private boolean take(double permits) {
    if (level < permits - ROUNDING) {
      return false;
    }
    level = Math.max(0, level - permits);
    return true;
  }
}

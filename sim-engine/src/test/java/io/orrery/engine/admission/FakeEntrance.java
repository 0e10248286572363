package io.orrery.engine.admission;

import io.orrery.engine.Draws;
import io.orrery.engine.policy.PolicyParameters;
import io.orrery.engine.routing.RoutedRequest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Workers with so many tokens of KV cache each, and a policy before them. Admitted requests run on
 * the worker that the policy named, or on worker 0, until the test ends them. Times are seconds.
 */
final class FakeEntrance implements AdmissionContext, Gate {
  static final double SECOND = 1e9;

  private final long[] capacity;
  private final int block;
  private final PolicyParameters parameters;
  private final AdmissionPolicy policy;
  private final Map<Integer, RoutedRequest> sent = new TreeMap<>();
  private final Map<Integer, Integer> outputs = new TreeMap<>();
  private final Map<Integer, Integer> workerOf = new TreeMap<>();

  /** What the policy did with each request last, by its number. */
  final Map<Integer, Verdict> verdicts = new TreeMap<>();

  /** Requests in the order in which they were released. */
  final List<Integer> released = new ArrayList<>();

  /** Sessions in the order in which they were paused. */
  final List<Integer> paused = new ArrayList<>();

  final List<Integer> marked = new ArrayList<>();
  final List<Integer> forced = new ArrayList<>();
  private long now;

  FakeEntrance(AdmissionPolicyFactory factory, int block, long[] capacity, String... parameters) {
    this.capacity = capacity;
    this.block = block;
    Map<String, String> given = new LinkedHashMap<>();
    for (int i = 0; i < parameters.length; i += 2) {
      given.put(parameters[i], parameters[i + 1]);
    }
    this.parameters = PolicyParameters.resolve(factory, given);
    policy = factory.create(this);
  }

  static FakeEntrance of(AdmissionPolicyFactory factory, long capacity, String... parameters) {
    return new FakeEntrance(factory, 1, new long[] {capacity}, parameters);
  }

  static FakeEntrance two(
      AdmissionPolicyFactory factory, long first, long second, String... parameters) {
    return new FakeEntrance(factory, 1, new long[] {first, second}, parameters);
  }

  AdmissionPolicy policy() {
    return policy;
  }

  long used(int worker) {
    return ((SessionLedger) policy).usedTokens(worker);
  }

  /** Request {@code id} of {@code session} is sent at {@code seconds}. */
  Verdict send(double seconds, int session, int id, int input) {
    until(seconds);
    RoutedRequest request = new RoutedRequest();
    request.keys().reset(id);
    request.set(id, session, -1, input, 0, block, now);
    sent.put(id, request);
    decided(id, policy.arrived(request));
    return verdicts.get(id);
  }

  private void decided(int id, Verdict verdict) {
    verdicts.put(id, verdict);
    if (verdict.kind() == Verdict.Kind.ADMIT) {
      workerOf.put(id, Math.max(0, verdict.worker()));
      policy.placed(at(id), workerOf.get(id));
    }
  }

  private RoutedRequest at(int id) {
    RoutedRequest request = sent.get(id);
    return request.set(id, request.session(), -1, request.inputTokens(), 0, block, now);
  }

  /** A running request has got so many output tokens by now. */
  void streamed(int id, int tokens) {
    outputs.put(id, tokens);
  }

  /** A running request ends at {@code seconds}. */
  void end(double seconds, int id, int output) {
    until(seconds);
    outputs.remove(id);
    int before = released.size();
    policy.ended(at(id), workerOf.get(id), output);
    placeFrom(before);
  }

  /** A request that was admitted is refused by its worker. */
  void refuse(double seconds, int id) {
    until(seconds);
    int before = released.size();
    policy.ended(at(id), -1, 0);
    placeFrom(before);
  }

  /** The client says at {@code seconds} that a session is over. */
  void over(double seconds, int session) {
    until(seconds);
    policy.sessionEnded(session, now);
  }

  /** Gives all ticks up to {@code seconds}, that moment included. */
  void until(double seconds) {
    long t = Math.round(seconds * SECOND);
    while (policy.nextTickNanos() <= t) {
      now = policy.nextTickNanos();
      int before = released.size();
      policy.tick(now);
      placeFrom(before);
    }
    now = t;
  }

  private void placeFrom(int before) {
    for (int i = before; i < released.size(); i++) {
      decided(released.get(i), verdicts.get(released.get(i)));
    }
  }

  @Override
  public void release(int request, Verdict verdict) {
    if (verdicts.get(request).kind() != Verdict.Kind.HOLD) {
      throw new IllegalStateException("request " + request + " is not held");
    }
    released.add(request);
    verdicts.put(request, verdict);
  }

  @Override
  public void paused(int session) {
    paused.add(session);
  }

  @Override
  public void resumed(int session, boolean byForce) {
    if (byForce) {
      forced.add(session);
    }
  }

  @Override
  public void marked(int session) {
    marked.add(session);
  }

  @Override
  public long capacityTokens(int worker) {
    return capacity[worker];
  }

  @Override
  public int outputTokens(int request) {
    return outputs.getOrDefault(request, 0);
  }

  @Override
  public Gate gate() {
    return this;
  }

  @Override
  public int workers() {
    return capacity.length;
  }

  @Override
  public int blockSize() {
    return block;
  }

  @Override
  public double number(String parameter) {
    return parameters.number(parameter);
  }

  @Override
  public long nanos(String parameter) {
    return parameters.nanos(parameter);
  }

  @Override
  public String text(String parameter) {
    return parameters.text(parameter);
  }

  @Override
  public Draws draws(String source) {
    return new Draws(1, source);
  }
}

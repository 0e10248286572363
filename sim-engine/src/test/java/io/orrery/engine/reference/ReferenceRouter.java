package io.orrery.engine.reference;

import io.orrery.engine.Draws;
import io.orrery.engine.SimulationSettings;
import io.orrery.engine.policy.PolicyParameters;
import io.orrery.engine.routing.Candidates;
import io.orrery.engine.routing.PrefixBeliefs;
import io.orrery.engine.routing.RoutedRequest;
import io.orrery.engine.routing.RoutingContext;
import io.orrery.engine.routing.RoutingPolicy;
import io.orrery.engine.routing.WorkerView;
import io.orrery.traces.BlockView;
import io.orrery.traces.Trace;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;

/** What the router knows: a set of (worker, key), fed by block events when they become visible. */
final class ReferenceRouter implements RoutingContext, PrefixBeliefs, Candidates {
  /** A worker gained its first copy of a key, or lost its last one. */
  record BlockEvent(long key, boolean stored) {}

  private record Visible(long time, long sequence, int worker, List<BlockEvent> events) {}

  private record Belief(int worker, long key) {}

  private final Trace trace;
  private final BlockView view;
  private final SimulationSettings settings;
  private final List<ReferenceWorker> workers;
  private final PolicyParameters parameters;
  private final RoutingPolicy policy;
  private final PriorityQueue<Visible> pending =
      new PriorityQueue<>(
          Comparator.comparingLong(Visible::time).thenComparingLong(Visible::sequence));
  private final Set<Belief> beliefs = new HashSet<>();
  private long sequence;
  private boolean asked;

  ReferenceRouter(
      Trace trace, BlockView view, SimulationSettings settings, List<ReferenceWorker> workers) {
    this.trace = trace;
    this.view = view;
    this.settings = settings;
    this.workers = workers;
    parameters = PolicyParameters.resolve(settings.routing(), settings.routingParameters());
    policy = settings.routing().create(this);
  }

  /** Block events that left a worker at {@code time}. */
  void hear(long time, int worker, List<BlockEvent> events) {
    if (!events.isEmpty()) {
      long visibleAt = time + settings.indexDelayNanos();
      pending.add(new Visible(visibleAt, sequence++, worker, List.copyOf(events)));
    }
  }

  /** Lets everything that is due at {@code now} be seen. */
  void see(long now) {
    while (!pending.isEmpty() && pending.peek().time() <= now) {
      Visible due = pending.poll();
      for (BlockEvent event : due.events()) {
        Belief belief = new Belief(due.worker(), event.key());
        if (event.stored()) {
          beliefs.add(belief);
        } else {
          beliefs.remove(belief);
        }
      }
    }
  }

  boolean believes() {
    return asked;
  }

  /** Leading blocks of a prompt that a worker is believed to hold. */
  int believedBlocks(List<Long> promptKeys, int worker) {
    int depth = 0;
    while (depth < promptKeys.size()
        && beliefs.contains(new Belief(worker, promptKeys.get(depth)))) {
      depth++;
    }
    return depth;
  }

  ReferenceWorker choose(ReferenceRow row, long now) {
    return workers.get(policy.choose(shown(row, now), this));
  }

  void placed(ReferenceRow row, long now) {
    policy.placed(shown(row, now), row.worker);
  }

  void firstToken(ReferenceRow row, long now) {
    policy.firstToken(shown(row, now), row.worker);
  }

  void ended(ReferenceRow row, long now) {
    policy.ended(shown(row, now), row.worker);
  }

  RoutedRequest shown(ReferenceRow row, long now) {
    RoutedRequest request = new RoutedRequest();
    request.keys().reset(row.row);
    for (long key : row.promptKeys) {
      request.keys().addRun(key, 1);
    }
    int session = trace.session(row.request);
    int parent = trace.parentSession(session);
    int sessionsBefore = row.copy * trace.sessionCount();
    return request.set(
        row.row,
        sessionsBefore + session,
        parent < 0 ? -1 : sessionsBefore + parent,
        trace.inputTokens(row.request),
        trace.priority(row.request),
        view.blockSize(),
        now);
  }

  @Override
  public void depths(RoutedRequest request, int[] depths) {
    List<Long> keys = new ArrayList<>();
    for (int i = 0; i < request.identifiedBlocks(); i++) {
      keys.add(request.keys().keyAt(i));
    }
    for (int w = 0; w < workers.size(); w++) {
      depths[w] = believedBlocks(keys, w);
    }
  }

  @Override
  public int size() {
    return workers.size();
  }

  @Override
  public WorkerView get(int i) {
    return workers.get(i);
  }

  @Override
  public int workers() {
    return workers.size();
  }

  @Override
  public int blockSize() {
    return view.blockSize();
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
    return new Draws(settings.seed(), source);
  }

  @Override
  public PrefixBeliefs beliefs() {
    asked = true;
    return this;
  }
}

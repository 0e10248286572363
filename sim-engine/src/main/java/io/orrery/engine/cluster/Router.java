package io.orrery.engine.cluster;

import io.orrery.engine.Draws;
import io.orrery.engine.SimulationSettings;
import io.orrery.engine.policy.PolicyParameters;
import io.orrery.engine.record.RunColumns;
import io.orrery.engine.routing.Candidates;
import io.orrery.engine.routing.PrefixBeliefs;
import io.orrery.engine.routing.RoutedRequest;
import io.orrery.engine.routing.RoutingContext;
import io.orrery.engine.routing.RoutingPolicy;
import io.orrery.traces.Trace;
import org.jspecify.annotations.Nullable;

/**
 * Runs a policy: shows it requests and workers, keeps its index if it asked for one, and tells it
 * what happens.
 */
final class Router implements RoutingContext {
  private final SimulationSettings settings;
  private final PolicyParameters parameters;
  private final Worker[] workers;
  private final RequestKeys requestKeys;
  private final Trace trace;
  private final int blockSize;
  private final Candidates candidates;
  private final RoutingPolicy policy;
  private final RoutedRequest request = new RoutedRequest();
  private final RoutedRequest past = new RoutedRequest();
  private final int[] believed;
  private @Nullable RouterIndex index;

  Router(SimulationSettings settings, Worker[] workers, RequestKeys requestKeys, int blockSize) {
    this.settings = settings;
    this.workers = workers;
    this.requestKeys = requestKeys;
    this.trace = requestKeys.trace();
    this.blockSize = blockSize;
    candidates = new ClusterRun.AllWorkers(workers);
    believed = new int[workers.length];
    parameters = PolicyParameters.resolve(settings.routing(), settings.routingParameters());
    policy = settings.routing().create(this);
  }

  /** Chooses the worker of {@code row}. */
  Worker choose(int row, long now) {
    show(request, row, now);
    RouterIndex known = index;
    if (known != null) {
      known.depths(request, believed);
    }
    int chosen = policy.choose(request, candidates);
    if (chosen < 0 || chosen >= workers.length) {
      throw new IllegalStateException(
          "routing policy "
              + settings.routing().name()
              + " chose candidate "
              + chosen
              + " of "
              + workers.length
              + " for request "
              + trace.requestId(requestKeys.columns().request(row)));
    }
    return workers[chosen];
  }

  /**
   * Leading tokens of the last chosen request that {@code worker} was believed to hold; -1 without
   * an index.
   */
  int believedTokens(int worker) {
    return index == null ? -1 : Math.min(believed[worker] * blockSize, request.inputTokens());
  }

  /** The most leading blocks that a worker other than {@code worker} was believed to hold. */
  int believedElsewhere(int worker) {
    int most = 0;
    if (index != null) {
      for (int w = 0; w < believed.length; w++) {
        if (w != worker) {
          most = Math.max(most, believed[w]);
        }
      }
    }
    return most;
  }

  void placed(int row, int worker) {
    policy.placed(request, worker);
  }

  void firstToken(int row, int worker, long now) {
    show(past, row, now);
    policy.firstToken(past, worker);
  }

  void ended(int row, int worker, long now) {
    show(past, row, now);
    policy.ended(past, worker);
  }

  /** Shows the request of {@code row} as it stands at {@code now}. */
  void show(RoutedRequest shown, int row, long now) {
    RunColumns columns = requestKeys.columns();
    int r = columns.request(row);
    int sessions = columns.copy(row) * trace.sessionCount();
    int session = trace.session(r);
    int parent = trace.parentSession(session);
    requestKeys.fillPrompt(shown.keys(), row);
    shown.set(
        row,
        sessions + session,
        parent < 0 ? -1 : sessions + parent,
        trace.inputTokens(r),
        trace.priority(r),
        blockSize,
        now);
  }

  @Override
  public int workers() {
    return workers.length;
  }

  @Override
  public int blockSize() {
    return blockSize;
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
    RouterIndex known = index;
    if (known == null) {
      known = new RouterIndex(workers.length);
      index = known;
      for (Worker worker : workers) {
        worker.feeds(known);
      }
    }
    return known;
  }
}

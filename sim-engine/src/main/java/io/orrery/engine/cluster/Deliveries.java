package io.orrery.engine.cluster;

import io.orrery.engine.RequestState;
import io.orrery.engine.clock.EventQueue;
import io.orrery.engine.clock.Phase;
import io.orrery.engine.record.RunColumns;
import io.orrery.traces.Trace;
import org.jspecify.annotations.Nullable;

/**
 * Brings placed requests to their workers. The host of a worker may need some time for a request
 * before the scheduler sees it; until then it is on its way.
 */
final class Deliveries {
  private final Trace trace;
  private final RunColumns columns;
  private final RequestKeys requestKeys;
  private final Workers workers;
  private final EventQueue queue;
  private final PrefixLedger ledger;
  private final RequestLog log;
  private final OnTheirWay onTheirWay = new OnTheirWay();

  Deliveries(
      RequestKeys requestKeys,
      Workers workers,
      EventQueue queue,
      PrefixLedger ledger,
      RequestLog log) {
    this.trace = requestKeys.trace();
    this.columns = requestKeys.columns();
    this.requestKeys = requestKeys;
    this.workers = workers;
    this.queue = queue;
    this.ledger = ledger;
    this.log = log;
  }

  /** Requests that were placed and are not in their worker's scheduler yet. */
  OnTheirWay onTheirWay() {
    return onTheirWay;
  }

  /** Why {@code worker} does not take the request of {@code row}; null if it does. */
  @Nullable String refusal(int row, Worker worker) {
    int input = trace.inputTokens(columns.request(row));
    return input < worker.maxModelLength()
        ? null
        : "prompt of "
            + input
            + " tokens, worker "
            + worker.id()
            + " takes at most "
            + (worker.maxModelLength() - 1)
            + " beside one output token";
  }

  /** Sends the request of {@code row}, which {@code worker} does not refuse, there at {@code t}. */
  ActiveRequest send(int row, Worker worker, LastBeliefs beliefs, long t) {
    int r = columns.request(row);
    int input = trace.inputTokens(r);
    ActiveRequest request = new ActiveRequest();
    requestKeys.fill(request, row, worker.pageTokens());
    request.promptTokens = input;
    int wanted = trace.outputTokens(r);
    request.maxOutputTokens = Math.min(wanted, worker.maxModelLength() - input);
    columns.clipped(row, wanted - request.maxOutputTokens);
    request.priority = trace.priority(r);
    request.arrivalTime = t;
    log.placed(row, worker.id(), t, beliefs.tokens(worker.id()));
    ledger.placed(request, worker.id(), beliefs.elsewhere(worker.id()));
    worker.placed();
    long hostNanos = worker.hostNanos(input);
    if (hostNanos == 0) {
      arrive(request, worker, t);
    } else {
      columns.setState(row, RequestState.ROUTED);
      onTheirWay.add(request);
      queue.add(t + hostNanos, Phase.WORKER_ARRIVAL, row);
    }
    return request;
  }

  /** The request of {@code row}, which was on its way, has come. */
  void arrive(int row, long t) {
    arrive(onTheirWay.remove(row), workers.get(columns.worker(row)), t);
  }

  private void arrive(ActiveRequest request, Worker worker, long t) {
    log.queued(request.request, t);
    worker.arrive(request, t);
    workers.touched(worker);
  }
}

package io.orrery.engine.cluster;

import io.orrery.engine.RequestState;
import io.orrery.engine.record.LookUpLog;
import io.orrery.engine.record.Samples;
import io.orrery.engine.record.WorkerStats;
import io.orrery.engine.scheduler.DecodeSegment;
import io.orrery.engine.scheduler.SchedulerListener;
import io.orrery.engine.scheduler.Sequence;

/**
 * How the requests of one worker get on: hears what its scheduler says and which tokens its planned
 * steps give, and tells the ledger, the samples and the simulation.
 */
final class RequestProgress implements SchedulerListener, StepPlan.TokenListener {
  private final int worker;
  private final WorkerEvents events;
  private final PrefixLedger ledger;
  private final Samples interToken;
  private final LookUpLog lookUps;
  private final WorkerStats stats;

  /** When what the scheduler says happens. */
  private long now;

  /** Requests that the scheduler has seen and that have not ended. */
  private int open;

  /** The last time between two tokens, and how often in a row it came: most requests share it. */
  private long gapNanos;

  private long gaps;

  RequestProgress(
      int worker,
      WorkerEvents events,
      PrefixLedger ledger,
      Samples interToken,
      LookUpLog lookUps,
      WorkerStats stats) {
    this.worker = worker;
    this.events = events;
    this.ledger = ledger;
    this.interToken = interToken;
    this.lookUps = lookUps;
    this.stats = stats;
  }

  /** What the scheduler says from here on happens at {@code t}. */
  void setNow(long t) {
    now = t;
  }

  /** A request has joined the scheduler's queue. */
  void joined() {
    open++;
  }

  /** Requests that the scheduler has seen and that have not ended. */
  int openRequests() {
    return open;
  }

  /** Counts what has not been counted. */
  void settle() {
    if (gaps > 0) {
      interToken.add(gapNanos, gaps);
      gaps = 0;
    }
  }

  private void gap(long nanos) {
    if (nanos != gapNanos) {
      settle();
      gapNanos = nanos;
    }
    gaps++;
  }

  @Override
  public void admitting(Sequence sequence, int hitTokens) {
    ActiveRequest request = (ActiveRequest) sequence;
    if (!request.admittedOnce) {
      if (ledger.lookedUp(request, hitTokens)) {
        events.catchUpOthers(worker, now);
        ledger.lookedUp(request, hitTokens);
      }
      lookUps.lookedUp(worker, now, request.keys, request.reusableTokens);
    }
  }

  @Override
  public void admitted(Sequence sequence, int hitTokens) {
    ActiveRequest request = (ActiveRequest) sequence;
    if (!request.admittedOnce) {
      ledger.admitted(request, hitTokens);
      events.firstScheduled(request, now);
    } else {
      events.resumed(request, Math.max(0, request.lostTokens - hitTokens), now);
    }
  }

  @Override
  public void computing(Sequence sequence, int from, int to) {
    ledger.computing((ActiveRequest) sequence, from, to);
  }

  @Override
  public void preempted(Sequence sequence, int computedTokens) {
    stats.preempted();
    events.preempted((ActiveRequest) sequence, now);
  }

  @Override
  public void token(Sequence sequence) {
    ActiveRequest request = (ActiveRequest) sequence;
    if (request.outputs == 1) {
      events.firstToken(request, worker, now);
    } else {
      gap(now - request.lastTokenNanos);
      if (request.outputs == 2) {
        events.secondToken(request, now);
      }
    }
    request.lastTokenNanos = now;
  }

  @Override
  public void tokens(DecodeSegment segment, long[] ends, int from, int to) {
    int count = segment.size();
    int leavers = to == segment.lastToEnd() ? segment.leavers() : 0;
    for (int i = 0; i < count; i++) {
      ActiveRequest request = (ActiveRequest) segment.sequence(i);
      int until = leavers > 0 && segment.leaves(i) ? to - 1 : to;
      if (until >= from) {
        gap(ends[from] - request.lastTokenNanos);
        if (request.outputs == 1) {
          events.secondToken(request, ends[from]);
        }
        request.lastTokenNanos = ends[until];
      }
    }
    if (leavers == 0) {
      interToken.addGaps(ends, from, to, count);
      return;
    }
    interToken.addGaps(ends, from, to - 1, count);
    if (to > from && leavers < count) {
      interToken.add(ends[to] - ends[to - 1], count - leavers);
    }
  }

  @Override
  public void verified(Sequence sequence, int drafts, int accepted) {
    stats.verified(drafts, accepted);
  }

  @Override
  public void finishing(Sequence sequence) {
    ended((ActiveRequest) sequence, RequestState.FINISHED);
  }

  @Override
  public void failing(Sequence sequence) {
    ended((ActiveRequest) sequence, RequestState.FAILED);
  }

  private void ended(ActiveRequest request, RequestState how) {
    open--;
    ledger.ended(request);
    events.ended(request, worker, how, now);
  }
}

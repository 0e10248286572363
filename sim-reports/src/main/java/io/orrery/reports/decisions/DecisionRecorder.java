package io.orrery.reports.decisions;

import io.orrery.engine.RequestState;
import io.orrery.engine.record.Decision;
import io.orrery.engine.record.Recorder;
import io.orrery.traces.Trace;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Hears decisions and hands on a row for each, in the order in which they were taken, as soon as it
 * is known what the engine found. {@link #close} hands on the rest.
 */
public final class DecisionRecorder implements Recorder {
  private final Trace trace;
  private final int blockSize;
  private final IntPredicate wanted;
  private final long mostCandidates;
  private final Consumer<DecisionRow> rows;
  private long candidates;
  private OptionalLong fullAtNanos = OptionalLong.empty();
  private final Map<Integer, Before> before = new HashMap<>();
  private final Map<Integer, Open> open = new HashMap<>();
  private final ArrayDeque<Open> inOrder = new ArrayDeque<>();

  private static final class Before {
    long arrived;
    @Nullable String pauseReason;
    long pausedAt;
    long paused;
    @Nullable String waitReason;
    long waitsSince;
  }

  private static final class Open {
    final Before before;
    final Decision decision;
    int found = -1;
    @Nullable RequestState outcome;
    boolean known;

    Open(Before before, Decision decision) {
      this.before = before;
      this.decision = decision;
    }
  }

  /**
   * @param wanted which requests of the trace are of interest
   * @param mostCandidates decisions between more workers than these, added up, are not handed on
   * @param rows receives the rows
   */
  public DecisionRecorder(
      Trace trace,
      int blockSize,
      IntPredicate wanted,
      long mostCandidates,
      Consumer<DecisionRow> rows) {
    this.trace = trace;
    this.blockSize = blockSize;
    this.wanted = wanted;
    this.mostCandidates = mostCandidates;
    this.rows = rows;
  }

  private boolean isWanted(int row) {
    return fullAtNanos.isEmpty() && wanted.test(row % trace.requestCount());
  }

  /** When the first decision was taken that was too many; empty if there was none. */
  public OptionalLong fullAtNanos() {
    return fullAtNanos;
  }

  @Override
  public boolean hearsDecisions() {
    return true;
  }

  @Override
  public void arrived(int row, long now) {
    if (isWanted(row)) {
      Before known = new Before();
      known.arrived = now;
      before.put(row, known);
    }
  }

  @Override
  public void held(int row, String reason, long now) {
    Before known = before.get(row);
    if (known != null) {
      known.pauseReason = reason;
      known.pausedAt = now;
    }
  }

  @Override
  public void admitted(int row, String reason, long now) {
    Before known = before.get(row);
    if (known != null && known.pauseReason != null) {
      known.paused = now - known.pausedAt;
    }
  }

  @Override
  public void waits(int row, String reason, long now) {
    Before known = before.get(row);
    if (known != null) {
      if (known.waitReason == null) {
        known.waitsSince = now;
      }
      known.waitReason = reason;
    }
  }

  @Override
  public void decided(Decision decision) {
    Before known = before.remove(decision.row());
    if (known == null || fullAtNanos.isPresent()) {
      return;
    }
    candidates += decision.workers().length;
    if (candidates > mostCandidates) {
      fullAtNanos = OptionalLong.of(decision.nanos());
      return;
    }
    Open taken = new Open(known, decision);
    open.put(decision.row(), taken);
    inOrder.add(taken);
  }

  @Override
  public void scheduled(int row, int hitTokens, long now) {
    Open taken = open.get(row);
    if (taken != null) {
      taken.found = hitTokens;
    }
  }

  @Override
  public void ended(int row, RequestState how, long now) {
    before.remove(row);
    Open taken = open.remove(row);
    if (taken != null) {
      taken.outcome = how;
      taken.known = true;
      while (!inOrder.isEmpty() && inOrder.peekFirst().known) {
        hand(inOrder.removeFirst());
      }
    }
  }

  /** The run is over. */
  public void close() {
    while (!inOrder.isEmpty()) {
      hand(inOrder.removeFirst());
    }
  }

  private void hand(Open taken) {
    Decision decision = taken.decision;
    int request = decision.row() % trace.requestCount();
    Before known = taken.before;
    rows.accept(
        new DecisionRow(
            trace.requestId(request),
            trace.sessionId(trace.session(request)),
            decision.row() / trace.requestCount(),
            trace.inputTokens(request),
            blockSize,
            known.arrived,
            known.pauseReason,
            known.paused,
            known.waitReason,
            known.waitReason == null ? 0 : decision.nanos() - known.waitsSince,
            decision,
            taken.found,
            taken.outcome));
  }
}

package io.orrery.engine.reference;

import io.orrery.engine.Draws;
import io.orrery.engine.RequestState;
import io.orrery.engine.SimulationSettings;
import io.orrery.engine.admission.AdmissionContext;
import io.orrery.engine.admission.AdmissionPolicy;
import io.orrery.engine.admission.Gate;
import io.orrery.engine.admission.SessionLedger;
import io.orrery.engine.admission.Verdict;
import io.orrery.engine.clock.Phase;
import io.orrery.engine.policy.PolicyParameters;
import io.orrery.engine.record.AdmissionLog;
import io.orrery.traces.Trace;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * What stands before the router: a list of what the policy has not been told yet, and a list of
 * what it has let go, worked off until both are empty.
 */
final class ReferenceAdmission implements AdmissionContext, Gate, ReferenceClock.Timer {
  /** Ticks in a row without anything else, in a run small enough to be stepped. */
  private static final int MOST_IDLE_TICKS = 20_000;

  private final Trace trace;
  private final SimulationSettings settings;
  private final ReferenceClock clock;
  private final ReferenceRouter router;
  private final ReferenceWorkload workload;
  private final List<ReferenceRow> rows;
  private final List<ReferenceWorker> workers;
  private final BiConsumer<ReferenceRow, Verdict> place;
  private final BiConsumer<ReferenceRow, String> refuse;
  private final PolicyParameters parameters;
  private final AdmissionPolicy policy;
  private final AdmissionLog log;
  private final Set<Integer> held = new HashSet<>();
  private final List<Runnable> toTell = new ArrayList<>();
  private final List<Runnable> toDo = new ArrayList<>();
  private boolean busy;
  private int idleTicks;

  /**
   * @param place is told each admitted row and how it was let go
   * @param refuse is told each refused row and why
   */
  ReferenceAdmission(
      Trace trace,
      SimulationSettings settings,
      ReferenceClock clock,
      ReferenceRouter router,
      ReferenceWorkload workload,
      List<ReferenceRow> rows,
      List<ReferenceWorker> workers,
      BiConsumer<ReferenceRow, Verdict> place,
      BiConsumer<ReferenceRow, String> refuse) {
    this.trace = trace;
    this.settings = settings;
    this.clock = clock;
    this.router = router;
    this.workload = workload;
    this.rows = rows;
    this.workers = workers;
    this.place = place;
    this.refuse = refuse;
    log = new AdmissionLog(!settings.admission().policy().name().equals("none"));
    parameters =
        PolicyParameters.resolve(settings.admission().policy(), settings.admission().parameters());
    policy = settings.admission().policy().create(this);
  }

  AdmissionLog log() {
    return log;
  }

  void arrived(ReferenceRow row) {
    workOff();
    Verdict verdict = policy.arrived(router.shown(row, clock.now()));
    if (verdict.kind() == Verdict.Kind.HOLD) {
      held.add(row.row);
      log.held(verdict.reason());
      row.holdReason = verdict.reason();
      row.state = RequestState.PAUSED;
    } else {
      toDo.add(() -> carryOut(row, verdict));
    }
    workOff();
  }

  private void carryOut(ReferenceRow row, Verdict verdict) {
    if (verdict.kind() == Verdict.Kind.ADMIT) {
      row.admitted = clock.now();
      place.accept(row, verdict);
    } else {
      refuse.accept(row, "admission: " + verdict.reason());
      tellIfSessionIsOver(row);
    }
  }

  void placed(ReferenceRow row) {
    policy.placed(router.shown(row, clock.now()), row.worker);
    workOff();
  }

  void firstToken(ReferenceRow row) {
    tellLater(() -> policy.firstToken(router.shown(row, clock.now()), row.worker));
  }

  void ended(ReferenceRow row) {
    int worker = row.worker;
    int outputs = row.outputs;
    tellLater(() -> policy.ended(router.shown(row, clock.now()), worker, outputs));
    tellIfSessionIsOver(row);
  }

  private void tellIfSessionIsOver(ReferenceRow row) {
    int session = trace.session(row.request);
    for (int r = 0; r < trace.requestCount(); r++) {
      int other = row.copy * trace.requestCount() + r;
      boolean over = other < rows.size() && rows.get(other).ends > 0;
      if (trace.session(r) == session && !over && !workload.leftOut(other)) {
        return;
      }
    }
    int number = row.copy * trace.sessionCount() + session;
    tellLater(() -> policy.sessionEnded(number, clock.now()));
  }

  private void tellLater(Runnable news) {
    toTell.add(news);
    if (!busy) {
      clock.at(clock.now(), Phase.ADMISSION_TICK, 0, this::workOff);
    }
  }

  private void workOff() {
    if (busy) {
      return;
    }
    busy = true;
    while (!toDo.isEmpty() || !toTell.isEmpty()) {
      (toDo.isEmpty() ? toTell : toDo).remove(0).run();
    }
    busy = false;
    if (policy.nextTickNanos() == clock.now()) {
      clock.at(clock.now(), Phase.ADMISSION_TICK, 0, this::tick);
    }
  }

  private void tick() {
    workOff();
    if (policy.nextTickNanos() != clock.now()) {
      return;
    }
    policy.tick(clock.now());
    if (policy instanceof SessionLedger ledger) {
      for (ReferenceWorker worker : workers) {
        log.ledger(
            ledger.usedTokens(worker.id()),
            ledger.reasoningTokens(worker.id()),
            (long) worker.usedBlocks() * blockSize());
      }
    }
    workOff();
  }

  @Override
  public long next(long others) {
    if (others == Long.MAX_VALUE && held.isEmpty()) {
      return Long.MAX_VALUE;
    }
    if (others != Long.MAX_VALUE) {
      idleTicks = 0;
    } else if (++idleTicks > MOST_IDLE_TICKS) {
      throw new ReferenceClock.EndlessRunException();
    }
    return Math.min(others, policy.nextTickNanos());
  }

  @Override
  public void begin(long time) {
    if (policy.nextTickNanos() == time) {
      clock.at(time, Phase.ADMISSION_TICK, 0, this::tick);
    }
  }

  @Override
  public void release(int request, Verdict verdict) {
    if (!held.remove(request)) {
      throw new IllegalStateException("row " + request + " is not held");
    }
    log.released(verdict.reason());
    toDo.add(() -> carryOut(rows.get(request), verdict));
  }

  @Override
  public void paused(int session) {
    log.paused(session, clock.now());
  }

  @Override
  public void resumed(int session, boolean forced) {
    log.resumed(session, forced, clock.now());
  }

  @Override
  public void marked(int session) {
    log.marked();
  }

  @Override
  public long capacityTokens(int worker) {
    return (long) workers.get(worker).totalBlocks() * blockSize();
  }

  @Override
  public int outputTokens(int request) {
    ReferenceRow row = rows.get(request);
    return row.placed >= 0 && row.ends == 0 ? row.outputs : 0;
  }

  @Override
  public Gate gate() {
    return this;
  }

  @Override
  public int workers() {
    return workers.size();
  }

  @Override
  public int blockSize() {
    return router.view.blockSize();
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
}

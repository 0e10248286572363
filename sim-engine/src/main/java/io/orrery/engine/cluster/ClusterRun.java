package io.orrery.engine.cluster;

import io.orrery.engine.DispatchSettings.Lanes;
import io.orrery.engine.PoolSettings;
import io.orrery.engine.RequestState;
import io.orrery.engine.SimulationSettings;
import io.orrery.engine.admission.Verdict;
import io.orrery.engine.clock.EventQueue;
import io.orrery.engine.clock.Phase;
import io.orrery.engine.record.AdmissionLog;
import io.orrery.engine.record.Decision;
import io.orrery.engine.record.LookUpLog;
import io.orrery.engine.record.Recorder;
import io.orrery.engine.record.RunColumns;
import io.orrery.engine.record.RunResult;
import io.orrery.engine.record.Samples;
import io.orrery.engine.record.WorkerStats;
import io.orrery.traces.BlockView;
import io.orrery.traces.Trace;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The event loop of one run.
 *
 * <p>At each instant events are worked off by round, phase and entity; when nothing more happens,
 * workers at a step boundary start their next step, by increasing id. Workers run ahead of the
 * clock on plans of their own and are brought up to date before anything looks at them.
 */
public final class ClusterRun {
  private static final int PROGRESS_EVERY = 256;

  private final Trace trace;
  private final SimulationSettings settings;
  private final Recorder recorder;
  private final LongConsumer progress;
  private final EventQueue queue;
  private final RunColumns columns;
  private final RequestLog log;
  private final Workload workload;
  private final BlockFacts facts;
  private final PrefixLedger ledger;
  private final RequestKeys requestKeys;
  private final Samples interToken = new Samples();
  private final LookUpLog lookUps;
  private final Workers workers;
  private final Deliveries deliveries;
  private final Router router;
  private final @Nullable DecisionRecord decisions;
  private final @Nullable Admission admission;
  private final Watchdog watchdog;
  private long now;
  private long ended;

  public ClusterRun(
      Trace trace,
      BlockView view,
      SimulationSettings settings,
      Recorder recorder,
      LongConsumer progress) {
    this.trace = trace;
    this.settings = settings;
    this.recorder = recorder;
    this.progress = progress;
    columns = new RunColumns(trace.requestCount());
    log = new RequestLog(columns, recorder);
    watchdog = new Watchdog(trace, columns);
    int count = settings.pools().stream().mapToInt(PoolSettings::workers).sum();
    queue = new EventQueue(count);
    Placement placement =
        new Placement(trace, columns, settings.pools(), settings.router().placement());
    facts =
        new BlockFacts(
            count,
            new BlockClaims(
                view,
                trace.requestCount(),
                placement.models(),
                settings.dispatch() instanceof Lanes lanes && lanes.recycle()));
    workload =
        new Workload(trace, settings.dispatch(), settings.seed(), queue, columns, facts::release);
    CompletionReuse reuse = new CompletionReuse(settings.completionReuse(), settings.seed());
    ledger =
        new PrefixLedger(
            trace,
            view,
            columns,
            facts,
            count,
            reuse,
            settings.pools().stream().anyMatch(p -> p.scheduler().speculation().active()));
    requestKeys = new RequestKeys(trace, view, columns, reuse, placement);
    lookUps = new LookUpLog(view.blockSize(), count);
    workers = new Workers(count);
    deliveries = new Deliveries(requestKeys, workers, queue, ledger, log);
    Listener listener = new Listener();
    int id = 0;
    for (PoolSettings pool : settings.pools()) {
      for (int i = 0; i < pool.workers(); i++) {
        Worker worker =
            new Worker(
                id,
                pool,
                listener,
                facts,
                ledger,
                interToken,
                lookUps,
                settings.router().indexDelayNanos(),
                view.blockSize(),
                settings.seed(),
                recorder.hearsSteps() ? recorder : null);
        workers.set(id, worker);
        lookUps.capacity(id, (long) worker.totalBlocks() * worker.pageTokens());
        id++;
      }
    }
    decisions =
        recorder.hearsDecisions()
            ? new DecisionRecord(
                workers.all(), facts, columns, deliveries.onTheirWay(), view.blockSize())
            : null;
    router =
        new Router(
            new RouterLink(),
            settings,
            workers.all(),
            requestKeys,
            (request, depths) -> facts.reach(request.keys(), request.identifiedBlocks(), depths),
            placement);
    admission = Admission.of(new AdmissionLink(), settings, workers.all(), requestKeys);
  }

  /** Runs to the end of the trace or of the time allowed. */
  public RunResult run() {
    while (true) {
      long t = Math.min(queue.nextTime(), workload.nextStart());
      if (admission != null) {
        t = admission.next(t);
      }
      if (t == Long.MAX_VALUE) {
        watchdog.everythingHasEnded(now);
        break;
      }
      if (t > settings.timeLimitNanos()) {
        now = settings.timeLimitNanos();
        break;
      }
      router.scrapeUpTo(t);
      instant(t);
    }
    for (Worker worker : workers.all()) {
      worker.settle(now);
      worker.forEachOpen(this::closeUnfinished);
    }
    deliveries.onTheirWay().inOrder().forEach(this::closeUnfinished);
    AdmissionLog admitted = admission == null ? new AdmissionLog(false) : admission.log();
    admitted.settle(now);
    progress.accept(ended);
    List<WorkerStats> stats = new ArrayList<>();
    for (Worker worker : workers.all()) {
      stats.add(worker.stats());
    }
    return new RunResult(
        columns,
        interToken,
        stats,
        now,
        requestKeys.blockSize(),
        facts.prefilledOnly(),
        log.rejections(),
        router.stats(),
        decisions == null ? new Samples() : decisions.regretNanos(),
        admitted,
        lookUps);
  }

  /** Pages of block keys of which something is known. */
  int knownPages() {
    return facts.pages();
  }

  private void instant(long t) {
    now = t;
    queue.begin(t);
    workload.startDue(t);
    if (admission != null && admission.ticksAt(t)) {
      queue.add(t, Phase.ADMISSION_TICK, 0);
    }
    long entity;
    while ((entity = queue.poll()) >= 0) {
      switch (queue.phase()) {
        case STEP_END -> {
          Worker worker = workers.get((int) entity);
          worker.stepEnds(t);
          workers.touched(worker);
        }
        case WORKER_ARRIVAL -> deliveries.arrive((int) entity, t);
        case ADMISSION_TICK -> Objects.requireNonNull(admission).look(t);
        default -> {
          if (entity >= Router.QUEUE_ENTITY || columns.dispatched((int) entity)) {
            router.happens(entity, t);
          } else {
            dispatch((int) entity);
          }
        }
      }
    }
    workers.start(t);
  }

  private void dispatch(int row) {
    log.arrived(row, now);
    workload.dispatched(row, now);
    workers.bringUpToDate(now);
    if (admission != null) {
      admission.arrived(row, now);
    } else {
      route(row, Verdict.ADMIT);
    }
  }

  /** Sends an admitted request to the router. */
  private void route(int row, Verdict verdict) {
    double headStart = verdict.priorityJumpSeconds() - trace.priority(columns.request(row));
    router.arrives(row, headStart, verdict.worker(), now);
  }

  private void reject(int row, String reason) {
    log.rejected(row, reason, now);
    end(row);
  }

  private void end(int row) {
    workload.ended(row, now);
    facts.release(row);
    if (++ended % PROGRESS_EVERY == 0) {
      progress.accept(ended);
    }
  }

  private void closeUnfinished(ActiveRequest request) {
    ledger.ended(request);
    log.outputs(request);
  }

  /** Hears the workers. */
  private final class Listener implements WorkerEvents {
    @Override
    public void wake(int worker, long time) {
      queue.stepEnds(worker, time);
    }

    @Override
    public void letSleep(int worker) {
      queue.stepDoesNotEnd(worker);
    }

    @Override
    public void catchUpOthers(int worker, long t) {
      workers.catchUpOthers(worker, t);
    }

    @Override
    public void firstScheduled(ActiveRequest request, long t) {
      log.scheduled(request, t);
    }

    @Override
    public void resumed(ActiveRequest request, int redoneTokens, long t) {
      log.resumed(request, redoneTokens, t);
    }

    @Override
    public void preempted(ActiveRequest request, long t) {
      watchdog.preempted(request, ended, t);
      log.preempted(request.request, t);
    }

    @Override
    public void firstToken(ActiveRequest request, int worker, long t) {
      log.firstToken(request.request, t);
      router.firstToken(request.request, worker, t);
      if (admission != null) {
        admission.firstToken(request.request, worker, t);
      }
    }

    @Override
    public void secondToken(ActiveRequest request, long t) {
      log.secondToken(request.request, t);
    }

    @Override
    public void ended(ActiveRequest request, int worker, RequestState how, long t) {
      int row = request.request;
      log.outputs(request);
      log.ended(row, how, t);
      router.ended(row, worker, t);
      end(row);
      if (admission != null) {
        admission.ended(row, worker, request.outputs, t);
      }
    }
  }

  /** Does what admission asks for. */
  private final class AdmissionLink implements Admission.Cluster {
    @Override
    public void bringUpToDate(long t) {
      workers.bringUpToDate(t);
    }

    @Override
    public void held(int row, String reason) {
      recorder.held(row, reason, now);
    }

    @Override
    public void admit(int row, Verdict verdict) {
      log.admitted(row, verdict.reason(), now);
      route(row, verdict);
    }

    @Override
    public void refuse(int row, String reason) {
      reject(row, "admission: " + reason);
    }

    @Override
    public void lookSoon() {
      queue.add(now, Phase.ADMISSION_TICK, 0);
    }

    @Override
    public boolean leftOut(int row) {
      return workload.leftOut(row);
    }
  }

  /** Does what the router asks for. */
  private final class RouterLink implements Router.Cluster {
    /** The request placed last. */
    private @Nullable ActiveRequest latest;

    @Override
    public void bringUpToDate(long t) {
      workers.bringUpToDate(t);
    }

    @Override
    public boolean place(int row, Worker worker, long t) {
      String refusal = deliveries.refusal(row, worker);
      if (refusal != null) {
        reject(row, refusal, t);
        return false;
      }
      latest = deliveries.send(row, worker, router.lastBeliefs(), t);
      return true;
    }

    @Override
    public void placed(int row, int worker, long t) {
      if (admission != null) {
        admission.placed(Objects.requireNonNull(latest), worker, t);
      }
    }

    @Override
    public void overruled(int row, int choice) {
      columns.overruled(row, choice);
    }

    @Override
    public void reject(int row, String reason, long t) {
      ClusterRun.this.reject(row, reason);
      if (admission != null) {
        admission.ended(row, -1, 0, t);
      }
    }

    @Override
    public void later(long time, long entity) {
      queue.add(time, Phase.DISPATCH, entity);
    }

    @Override
    public void waits(int row, String reason) {
      log.waits(row, reason, now);
    }

    @Override
    public void decided(Decision decision) {
      recorder.decided(decision);
    }

    @Override
    public @Nullable DecisionRecord decisions() {
      return decisions;
    }
  }
}

package io.orrery.engine.reference;

import io.orrery.engine.PoolSettings;
import io.orrery.engine.RequestState;
import io.orrery.engine.SimulationSettings;
import io.orrery.engine.admission.Verdict;
import io.orrery.engine.clock.Phase;
import io.orrery.engine.record.RunResult;
import io.orrery.traces.BlockView;
import io.orrery.traces.Trace;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;

/**
 * A whole run, one forward pass after the other: nothing is planned ahead, nothing is put off, and
 * what is true, believed or computed is a set of keys. The planned engine must find the same.
 */
final class ReferenceSimulation implements ReferenceWorker.Events, ReferenceRouter.Cluster {
  private final Trace trace;
  private final BlockView view;
  private final SimulationSettings settings;
  private final int blockSize;
  private final ReferenceClock clock = new ReferenceClock();
  private final ReferenceWorkload workload;
  private final List<ReferenceWorker> workers = new ArrayList<>();
  private final ReferenceRouter router;
  private final ReferenceAdmission admission;
  private final ReferenceBlockNames blocks;
  private final ReferenceLedger ledger;
  private final List<ReferenceRow> rows = new ArrayList<>();
  private final TreeMap<Long, Long> interTokenNanos = new TreeMap<>();
  private final List<LookUp> lookUps = new ArrayList<>();
  private final TreeMap<Integer, RunResult.Rejection> rejections = new TreeMap<>();

  /** A key came into being (with -1 tokens), or the leading tokens of a prompt were looked up. */
  record LookUp(long time, int worker, List<Long> keys, long tokens) {}

  ReferenceSimulation(Trace trace, BlockView view, SimulationSettings settings) {
    this.trace = trace;
    this.view = view;
    this.settings = settings;
    blockSize = view.blockSize();
    for (PoolSettings pool : settings.pools()) {
      for (int i = 0; i < pool.workers(); i++) {
        workers.add(
            new ReferenceWorker(workers.size(), pool, clock, blockSize, settings.seed(), this));
      }
    }
    router = new ReferenceRouter(trace, view, settings, workers, this, clock);
    blocks = new ReferenceBlockNames(view, settings);
    ledger = new ReferenceLedger(trace, settings, blockSize, workers, router, blocks, rows);
    workload =
        new ReferenceWorkload(trace, settings.dispatch(), settings.seed(), clock, this::arrive);
    admission =
        new ReferenceAdmission(
            trace, settings, clock, router, workload, rows, workers, this::route, this::refuse);
  }

  ReferenceResult run() {
    workload.begin();
    long end =
        clock.run(
            settings.timeLimitNanos(),
            router::scrapeUpTo,
            () -> workers.forEach(ReferenceWorker::startStep),
            admission);
    admission.log().settle(end);
    workers.forEach(worker -> worker.settle(end));
    router.see(end);
    return new ReferenceResult(
        rows,
        interTokenNanos,
        workers,
        end,
        ledger.prefilledOnly(),
        List.copyOf(rejections.values()),
        router.stats(),
        admission.log(),
        lookUps.stream()
            .sorted(Comparator.comparingLong(LookUp::time).thenComparingInt(LookUp::worker))
            .toList());
  }

  private ReferenceRow row(int index) {
    while (rows.size() <= index) {
      rows.add(new ReferenceRow(rows.size(), trace.requestCount()));
    }
    return rows.get(index);
  }

  private void arrive(int index) {
    ReferenceRow row = row(index);
    if (row.sent()) {
      throw new IllegalStateException("row " + index + " was sent twice");
    }
    row.arrival = clock.now();
    blocks.name(row, router.placement.model(row));
    workload.sent(index);
    admission.arrived(row);
  }

  private void route(ReferenceRow row, Verdict verdict) {
    router.arrives(row, verdict.worker(), verdict.priorityJumpSeconds());
  }

  /** Turns away a request that admission has let go. */
  @Override
  public void reject(ReferenceRow row, String reason) {
    refuse(row, reason);
    admission.ended(row);
  }

  @Override
  public void placed(ReferenceRow row) {
    admission.placed(row);
  }

  @Override
  public boolean place(ReferenceRow row, ReferenceWorker worker) {
    long now = clock.now();
    int input = trace.inputTokens(row.request);
    int most = worker.maxModelLength();
    if (input >= most) {
      row.worker = -1;
      if (worker.id() == row.routerChoice) {
        row.routerChoice = -1;
      }
      reject(
          row,
          String.format(
              Locale.ROOT,
              "prompt of %d tokens, worker %d takes at most %d beside one output token",
              input,
              worker.id(),
              most - 1));
      return false;
    }
    int page = worker.pageTokens();
    row.limitTokens = Math.min(row.promptKeys.size() * blockSize, (input - 1) / page * page);
    ledger.placed(row, worker);
    row.placed = now;
    int wanted = trace.outputTokens(row.request);
    int target = Math.min(wanted, most - input);
    row.clipped = wanted - target;
    ReferenceRequest request =
        new ReferenceRequest(
            String.format(Locale.ROOT, "%09d", row.row),
            row.row,
            trace.priority(row.request),
            now,
            input,
            target,
            0,
            view.identifiedBlocks(row.request) * blockSize / page,
            false,
            block -> ReferenceBlockNames.key(row, block));
    worker.placed(row, request);
    long host = worker.hostNanos(input);
    if (host == 0) {
      queue(row, worker, request);
    } else {
      row.state = RequestState.ROUTED;
      clock.at(now + host, Phase.WORKER_ARRIVAL, row.row, () -> queue(row, worker, request));
    }
    return true;
  }

  private void refuse(ReferenceRow row, String reason) {
    row.state = RequestState.REJECTED;
    row.end = clock.now();
    row.ends++;
    rejections.put(row.row, new RunResult.Rejection(row.row, reason));
    workload.ended(row.row);
  }

  private void queue(ReferenceRow row, ReferenceWorker worker, ReferenceRequest request) {
    row.state = RequestState.WAITING;
    row.queued = clock.now();
    worker.arrive(request);
  }

  @Override
  public void stored(ReferenceWorker worker, long key) {
    lookUps.add(new LookUp(clock.now(), worker.id(), List.of(key), -1));
  }

  @Override
  public void keyScheduled(long key) {
    ledger.scheduled(key);
  }

  @Override
  public void keyComputed(long key) {
    ledger.computed(key);
  }

  @Override
  public void computing(ReferenceRow row, int from, int to) {
    ledger.computing(row, from, to);
  }

  @Override
  public void blockEvents(ReferenceWorker worker, List<ReferenceRouter.BlockEvent> events) {
    router.hear(clock.now(), worker.id(), events);
  }

  @Override
  public void admitted(ReferenceRow row, int hitTokens, int residentTokens, boolean first) {
    if (first) {
      row.residentTokens = residentTokens;
      row.scheduled = clock.now();
      row.state = RequestState.PREFILLING;
      lookUps.add(
          new LookUp(clock.now(), row.worker, List.copyOf(ledger.reusable(row)), row.limitTokens));
      ledger.charge(row, hitTokens);
    } else {
      row.redo += Math.max(0, row.mostComputed - hitTokens);
      row.state = row.outputs > 0 ? RequestState.DECODING : RequestState.PREFILLING;
    }
  }

  @Override
  public void preempted(ReferenceRow row) {
    row.preemptions++;
    row.state = RequestState.PREEMPTED;
  }

  @Override
  public void token(ReferenceRow row, boolean running) {
    long now = clock.now();
    row.outputs++;
    if (row.outputs == 1) {
      row.firstToken = now;
      if (running) {
        row.state = RequestState.DECODING;
      }
      router.firstToken(row);
      admission.firstToken(row);
    } else {
      interTokenNanos.merge(now - row.lastToken, 1L, Long::sum);
    }
    if (row.outputs == 2) {
      row.secondToken = now;
    }
    row.lastToken = now;
  }

  @Override
  public void ended(ReferenceRow row, RequestState how) {
    row.state = how;
    row.end = clock.now();
    row.ends++;
    router.ended(row);
    workload.ended(row.row);
    admission.ended(row);
  }
}

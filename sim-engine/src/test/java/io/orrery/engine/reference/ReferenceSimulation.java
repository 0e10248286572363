package io.orrery.engine.reference;

import io.orrery.engine.Draws;
import io.orrery.engine.PoolSettings;
import io.orrery.engine.RequestState;
import io.orrery.engine.SimulationSettings;
import io.orrery.engine.admission.Verdict;
import io.orrery.engine.cache.BlockKeys;
import io.orrery.engine.clock.Phase;
import io.orrery.engine.record.LedgerClass;
import io.orrery.engine.record.RunResult;
import io.orrery.traces.BlockView;
import io.orrery.traces.Trace;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
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
  private final List<ReferenceRow> rows = new ArrayList<>();
  private final TreeMap<Long, Long> interTokenNanos = new TreeMap<>();
  private final List<LookUp> lookUps = new ArrayList<>();
  private final TreeMap<Integer, RunResult.Rejection> rejections = new TreeMap<>();

  private final Set<Long> scheduledEver = new HashSet<>();
  private final Set<Long> computedEver = new HashSet<>();
  private final Set<Long> missedAsPrefill = new HashSet<>();

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
        prefilledOnly(),
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
    nameBlocks(row);
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
    noteReach(row, worker);
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
            block -> contextKey(row, block));
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

  /** Spells out the runs of the trace, block by block. */
  private void nameBlocks(ReferenceRow row) {
    List<Long> named = new ArrayList<>();
    List<String> models = settings.pools().stream().map(PoolSettings::model).distinct().toList();
    long namespace = (long) row.copy * models.size() + models.indexOf(router.model(row));
    for (int run = view.runStart(row.request); run < view.runEnd(row.request); run++) {
      for (int i = 0; i < view.runLength(run); i++) {
        named.add((namespace << 40) | (view.runFirst(run) + i));
      }
    }
    int identified = view.identifiedBlocks(row.request);
    row.promptKeys = List.copyOf(named.subList(0, identified));
    row.contextKeys = outputComesBack(row.row) ? named : row.promptKeys;
  }

  private boolean outputComesBack(int row) {
    double probability = settings.completionReuse();
    if (probability == 0 || probability == 1) {
      return probability == 1;
    }
    return new Draws(settings.seed(), "cache.completion-reuse").uniform(row, 0) < probability;
  }

  private static long contextKey(ReferenceRow row, int block) {
    if (block < row.contextKeys.size()) {
      return row.contextKeys.get(block);
    }
    return BlockKeys.PRIVATE | ((long) row.row << 24) | block;
  }

  private void noteReach(ReferenceRow row, ReferenceWorker worker) {
    List<Long> reusable = reusable(row);
    row.finishedBlocks = leading(reusable, computedEver);
    row.ownBlocks = worker.reach(reusable);
    for (ReferenceWorker other : workers) {
      if (other != worker) {
        row.otherBlocks = Math.max(row.otherBlocks, other.reach(reusable));
        if (router.believes()) {
          row.believedOtherBlocks =
              Math.max(row.believedOtherBlocks, router.believedBlocks(reusable, other.id()));
        }
      }
    }
    if (router.believes()) {
      row.believed = router.believedBlocks(row.promptKeys, worker.id()) * blockSize;
    }
  }

  /** Keys of the blocks that hold the tokens before the limit. */
  private List<Long> reusable(ReferenceRow row) {
    return row.promptKeys.subList(0, (row.limitTokens + blockSize - 1) / blockSize);
  }

  private static int leading(List<Long> keys, Set<Long> set) {
    int count = 0;
    while (count < keys.size() && set.contains(keys.get(count))) {
      count++;
    }
    return count;
  }

  @Override
  public void stored(ReferenceWorker worker, long key) {
    lookUps.add(new LookUp(clock.now(), worker.id(), List.of(key), -1));
  }

  @Override
  public void keyScheduled(long key) {
    scheduledEver.add(key);
  }

  @Override
  public void keyComputed(long key) {
    computedEver.add(key);
  }

  @Override
  public void computing(ReferenceRow row, int from, int to) {
    for (int i = 0; i < row.contextKeys.size(); i++) {
      int last = (i + 1) * blockSize - 1;
      if (from <= last && last < to) {
        scheduledEver.add(row.contextKeys.get(i));
      }
    }
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
      lookUps.add(new LookUp(clock.now(), row.worker, List.copyOf(reusable(row)), row.limitTokens));
      charge(row, hitTokens);
    } else {
      row.redo += Math.max(0, row.mostComputed - hitTokens);
      row.state = row.outputs > 0 ? RequestState.DECODING : RequestState.PREFILLING;
    }
  }

  /** The prefill-tax ledger: every input token falls into one class. */
  private void charge(ReferenceRow row, int hitTokens) {
    int input = trace.inputTokens(row.request);
    int page = workers.get(row.worker).pageTokens();
    int beforeTail = (input - 1) / page * page;
    row.charge(LedgerClass.HIT_DEVICE, hitTokens);
    row.charge(LedgerClass.TAIL, input - beforeTail);
    row.charge(LedgerClass.UNIDENTIFIED, beforeTail - row.limitTokens);

    int scheduled = leading(reusable(row), scheduledEver);
    int known = Math.max(row.finishedBlocks, scheduled);
    int start = row.limitTokens;
    for (int token = hitTokens; token < row.limitTokens; token++) {
      int block = token / blockSize;
      if (block >= known) {
        start = token;
        break;
      }
      row.charge(classOf(row, token), 1);
    }
    missedAsPrefill.addAll(
        row.promptKeys.subList(hitTokens / blockSize, row.limitTokens / blockSize));
    if (start < row.limitTokens) {
      int rewritten = rewrittenTokens(row, start, row.limitTokens);
      row.charge(LedgerClass.REWRITTEN, rewritten);
      row.charge(LedgerClass.NEW, row.limitTokens - start - rewritten);
    }
  }

  /** Why a token that had been scheduled before was not found. */
  private LedgerClass classOf(ReferenceRow row, int token) {
    int block = token / blockSize;
    if (block >= row.finishedBlocks) {
      return LedgerClass.IN_FLIGHT;
    }
    if (token < row.residentTokens) {
      return LedgerClass.UNALIGNED;
    }
    if (block < row.ownBlocks) {
      return LedgerClass.QUEUE_EVICTED;
    }
    if (block < row.otherBlocks) {
      return block < row.believedOtherBlocks
          ? LedgerClass.MISPLACED_CHOSEN
          : LedgerClass.MISPLACED_BLIND;
    }
    return LedgerClass.EVICTED;
  }

  /** Tokens in [start, end) where the session's previous turn had other content. */
  private int rewrittenTokens(ReferenceRow row, int start, int end) {
    int turn = trace.turn(row.request);
    if (turn == 0) {
      return 0;
    }
    int request = trace.request(trace.session(row.request), turn - 1);
    ReferenceRow before = row(row.copy * trace.requestCount() + request);
    if (!before.sent()) {
      return 0;
    }
    int length = trace.inputTokens(request) + trace.outputTokens(request);
    int prompt = before.promptKeys.size();
    if (outputComesBack(before.row)
        && trace.inputTokens(row.request) >= length
        && common(before.promptKeys, row.promptKeys) == prompt) {
      return 0;
    }
    int same = common(before.contextKeys, row.promptKeys) * blockSize;
    return Math.max(0, Math.min(end, length) - Math.max(start, same));
  }

  /** Leading blocks of equal content, whichever model computes them. */
  private static int common(List<Long> a, List<Long> b) {
    long content = (1L << 40) - 1;
    int count = 0;
    while (count < a.size()
        && count < b.size()
        && (a.get(count) & content) == (b.get(count) & content)) {
      count++;
    }
    return count;
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

  /** Distinct keys that were computed as prefill and never in any other way. */
  private long prefilledOnly() {
    Set<Long> keys = new HashSet<>(missedAsPrefill);
    // A drafted token's KV is written, the last one's too.
    boolean drafts =
        settings.pools().stream().anyMatch(pool -> pool.scheduler().speculation().active());
    for (ReferenceRow row : rows) {
      if (row.admitted()) {
        int written = drafts ? row.outputs : Math.max(0, row.outputs - 1);
        int full = (trace.inputTokens(row.request) + written) / blockSize;
        for (int i = row.limitTokens / blockSize; i < Math.min(full, row.contextKeys.size()); i++) {
          keys.remove(row.contextKeys.get(i));
        }
      }
    }
    return keys.size();
  }
}

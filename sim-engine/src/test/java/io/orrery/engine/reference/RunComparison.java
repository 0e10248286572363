package io.orrery.engine.reference;

import io.orrery.engine.record.AdmissionLog;
import io.orrery.engine.record.LedgerClass;
import io.orrery.engine.record.LevelHistory;
import io.orrery.engine.record.LookUpLog;
import io.orrery.engine.record.RealisedBound;
import io.orrery.engine.record.RunColumns;
import io.orrery.engine.record.RunResult;
import io.orrery.engine.record.Samples;
import io.orrery.engine.record.WorkerStats;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.LongStream;

/** Compares what the product found with what the reference found, fact by fact. */
final class RunComparison {
  private final RunResult product;
  private final ReferenceResult reference;
  private static final int MOST_EVENTS = 400;

  private final List<String> differences = new ArrayList<>();

  private RunComparison(RunResult product, ReferenceResult reference) {
    this.product = product;
    this.reference = reference;
  }

  /**
   * All facts that differ, requests first; each says where, what was found and what was expected.
   */
  static List<String> differences(RunResult product, ReferenceResult reference) {
    RunComparison comparison = new RunComparison(product, reference);
    comparison.rows();
    comparison.whole();
    comparison.admission();
    comparison.lookUps();
    for (int w = 0; w < reference.workers().size(); w++) {
      comparison.worker(w);
    }
    return comparison.differences;
  }

  private void same(String what, Object found, Object expected) {
    if (!Objects.equals(found, expected)) {
      differences.add(what + ": found " + found + ", expected " + expected);
    }
  }

  private void rows() {
    RunColumns columns = product.columns();
    int rows = Math.max(columns.rows(), reference.rows().size());
    for (int i = 0; i < rows; i++) {
      boolean known = i < reference.rows().size();
      row(i, known ? reference.rows().get(i) : new ReferenceRow(i, rows));
    }
  }

  private void row(int i, ReferenceRow expected) {
    RunColumns columns = product.columns();
    String at = "row " + i + " ";
    if (i >= columns.rows()) {
      same(at + "exists", false, expected.sent());
      return;
    }
    same(at + "arrival", columns.arrivalNanos(i), expected.arrival);
    same(at + "dispatched", columns.dispatched(i), expected.sent());
    same(at + "worker", columns.worker(i), expected.worker);
    same(at + "routerChoice", columns.routerChoice(i), expected.routerChoice);
    if (product.admission().active()) {
      int reason = columns.holdReason(i);
      same(
          at + "hold reason",
          reason < 0 ? "" : product.admission().reason(reason),
          expected.holdReason);
      same(at + "admitted", columns.admittedNanos(i), expected.admitted);
    }
    same(at + "placed", columns.placedNanos(i), expected.placed);
    same(at + "believed", columns.believedTokens(i), expected.believed);
    same(at + "queued", columns.queuedNanos(i), expected.queued);
    same(at + "scheduled", columns.scheduledNanos(i), expected.scheduled);
    for (LedgerClass kind : LedgerClass.values()) {
      same(at + kind, columns.ledger(kind, i), expected.charged(kind));
    }
    same(at + "firstToken", columns.firstTokenNanos(i), expected.firstToken);
    same(at + "secondToken", columns.secondTokenNanos(i), expected.secondToken);
    same(at + "preemptions", columns.preemptions(i), expected.preemptions);
    same(at + "redo", columns.redoTokens(i), expected.redo);
    same(at + "outputs", columns.outputTokens(i), expected.outputs);
    same(at + "clipped", columns.clippedTokens(i), expected.clipped);
    same(at + "end", columns.endNanos(i), expected.end);
    same(at + "state", columns.state(i), expected.state);
  }

  private void whole() {
    same("end of the run", product.endNanos(), reference.endNanos());
    same("prefilledOnly", product.prefilledOnly(), reference.prefilledOnly());
    same("rejections", product.rejections(), reference.rejections());
    same("router", product.router(), reference.router());
    Map<Long, Long> gaps = new TreeMap<>();
    for (long[] sample : product.interTokenNanos().exactSamples()) {
      gaps.put(sample[0], sample[1]);
    }
    same("interTokenNanos", gaps, reference.interTokenNanos());
    same("workers", product.workers().size(), reference.workers().size());
  }

  /** Key by key: the worker, and whether it came into being or was looked up. */
  private void lookUps() {
    LookUpLog log = product.lookUps();
    List<String> found = new ArrayList<>();
    for (int run : log.order().toArray()) {
      for (int i = 0; i < log.length(run); i++) {
        found.add(event(log.worker(run), log.first(run) + i, log.isLookUp(run)));
      }
    }
    List<String> expected = new ArrayList<>();
    for (ReferenceSimulation.LookUp event : reference.lookUps()) {
      for (long key : event.keys()) {
        expected.add(event(event.worker(), key, event.tokens() >= 0));
      }
    }
    if (!found.equals(expected)) {
      int at = 0;
      while (at < Math.min(found.size(), expected.size())
          && found.get(at).equals(expected.get(at))) {
        at++;
      }
      same(
          "look-ups from " + at,
          found.subList(at, Math.min(found.size(), at + 3)),
          expected.subList(at, Math.min(expected.size(), at + 3)));
      return;
    }
    if (expected.size() < MOST_EVENTS) {
      NaiveBound naive = new NaiveBound(reference.lookUps(), product.blockSize());
      long[] capacity = capacity();
      RealisedBound bound = RealisedBound.of(log);
      long workers = 0;
      for (int w = 0; w < capacity.length; w++) {
        workers += naive.found(w, capacity[w]);
      }
      same("pooled bound", bound.pooledTokens(), naive.found(-1, LongStream.of(capacity).sum()));
      same("workers' bound", bound.workerTokens(), workers);
    }
  }

  private long[] capacity() {
    return reference.workers().stream()
        .mapToLong(worker -> (long) worker.totalBlocks() * worker.pageTokens())
        .toArray();
  }

  private static String event(int worker, long key, boolean lookUp) {
    return "worker " + worker + (lookUp ? " looks up " : " stores ") + key;
  }

  private void admission() {
    AdmissionLog found = product.admission();
    AdmissionLog expected = reference.admission();
    same("admission", found.active(), expected.active());
    if (!found.active()) {
      return;
    }
    same("holds", found.holds(), expected.holds());
    same("releases", found.releases(), expected.releases());
    same("pauses", found.pauses(), expected.pauses());
    same("forced resumes", found.forcedResumes(), expected.forcedResumes());
    same("marks", found.marks(), expected.marks());
    same("paused sessions", pauses(found), pauses(expected));
    same("paused over time", levels(found), levels(expected));
    same("ledger, used", samples(found.usedTokens()), samples(expected.usedTokens()));
    same(
        "ledger, reasoning", samples(found.reasoningTokens()), samples(expected.reasoningTokens()));
    same("held by requests", samples(found.heldTokens()), samples(expected.heldTokens()));
  }

  private static Map<Integer, List<Long>> pauses(AdmissionLog log) {
    Map<Integer, List<Long>> pauses = new TreeMap<>();
    log.sessions()
        .forEach((session, pause) -> pauses.put(session, List.of(pause.count(), pause.nanos())));
    return pauses;
  }

  private static List<List<Long>> levels(AdmissionLog log) {
    List<List<Long>> levels = new ArrayList<>();
    for (int i = 0; i < log.changes(); i++) {
      levels.add(List.of(log.changeNanos(i), (long) log.pausedSessions(i)));
    }
    return levels;
  }

  private static List<List<Long>> samples(Samples samples) {
    List<List<Long>> all = new ArrayList<>();
    for (long[] sample : samples.exactSamples()) {
      all.add(List.of(sample[0], sample[1]));
    }
    return all;
  }

  private static long integral(LevelHistory history) {
    long sum = 0;
    for (int i = 0; i < LevelHistory.STRETCHES; i++) {
      sum += history.integral(i);
    }
    return sum;
  }

  private void worker(int w) {
    WorkerStats found = product.workers().get(w);
    ReferenceWorker expected = reference.workers().get(w);
    String at = "worker " + w + " ";
    same(at + "id", found.worker(), expected.id());
    same(at + "gpus", found.gpus(), expected.pool().gpusPerWorker());
    same(at + "usableBlocks", found.usableBlocks(), expected.totalBlocks());
    same(at + "requests", found.requests(), expected.requests);
    same(at + "steps", found.steps(), expected.steps);
    same(at + "prefillBusy", found.prefillBusyNanos(), expected.prefillBusyNanos);
    same(at + "decodeBusy", found.decodeBusyNanos(), expected.decodeBusyNanos);
    same(at + "preemptions", found.preemptions(), expected.preemptions);
    same(at + "verifications", found.verifications(), expected.verifications);
    same(at + "draftedTokens", found.draftedTokens(), expected.draftedTokens);
    same(at + "acceptedTokens", found.acceptedTokens(), expected.acceptedTokens);
    same(at + "plainDecode", found.plainDecodeNanos(), expected.plainDecodeNanos);
    same(at + "evictedKeys", found.evictedKeys(), expected.evictedKeys);
    same(at + "peakBlocks", found.peakBlocks(), expected.peakBlocks);
    same(at + "usedBlockNanos", found.usedBlockNanos(), expected.usedBlockNanos);
    same(at + "usedHistory", integral(found.usedHistory()), expected.usedBlockNanos);
    same(at + "usedBlocks", found.usedBlocks(), expected.usedBlocks());
    for (int level = 0; level <= 1000; level++) {
      same(
          at + "time at " + level + " thousandths",
          found.nanosAtLevel(level),
          expected.nanosAtLevel.getOrDefault(level, 0L));
    }
  }
}

package io.orrery.engine.reference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.fail;

import io.orrery.engine.DispatchSettings;
import io.orrery.engine.NoProgressException;
import io.orrery.engine.RequestState;
import io.orrery.engine.Simulation;
import io.orrery.engine.admission.AdmissionPolicies;
import io.orrery.engine.record.LedgerClass;
import io.orrery.engine.record.RealisedBound;
import io.orrery.engine.record.RunResult;
import io.orrery.traces.BlockView;
import io.orrery.traces.Trace;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * The planned engine finds, whole result for whole result, what stepping every forward pass finds.
 *
 * <p>{@code -Dorrery.equivalence.runs=100000} runs more than usual, {@code
 * -Dorrery.equivalence.first=N} begins at another seed, and {@code -Dorrery.equivalence.seed=N}
 * replays one.
 */
class EquivalenceTest {
  private static final int RUNS = Integer.getInteger("orrery.equivalence.runs", 5000);
  private static final long FIRST = Long.getLong("orrery.equivalence.first", 1);
  private static final int SHOWN = 12;

  @Test
  void planningStepsChangesNothing() {
    Long only = Long.getLong("orrery.equivalence.seed");
    LongStream seeds = only != null ? LongStream.of(only) : LongStream.range(FIRST, FIRST + RUNS);
    Coverage coverage = new Coverage();
    seeds.forEach(
        seed -> {
          RunSpec run = RandomRuns.run(seed);
          List<String> problems = problems(run, coverage);
          if (!problems.isEmpty()) {
            fail(report(seed, run, problems));
          }
        });
    if (only == null && RUNS >= 1000) {
      coverage.assertEverythingHappened();
    }
  }

  private static String report(long seed, RunSpec run, List<String> problems) {
    RunSpec small =
        RunShrinker.shrink(run, smaller -> !problems(smaller, new Coverage()).isEmpty());
    return "seed "
        + seed
        + " differs in "
        + problems.size()
        + " facts:\n  "
        + String.join("\n  ", first(problems))
        + "\n\ncut down, it still differs in:\n  "
        + String.join("\n  ", first(problems(small, new Coverage())))
        + "\n"
        + small;
  }

  private static List<String> first(List<String> problems) {
    return problems.subList(0, Math.min(SHOWN, problems.size()));
  }

  static List<String> problems(RunSpec run, Coverage coverage) {
    Trace trace = run.trace();
    BlockView view = run.view(trace);
    ReferenceResult reference;
    try {
      reference = new ReferenceSimulation(trace, view, run.settings()).run();
    } catch (ReferenceClock.EndlessRunException e) {
      coverage.endless++;
      return endsOrSaysWhyNot(trace, view, run, coverage);
    }
    RunResult product;
    try {
      product = new Simulation(trace, view, run.settings()).run();
    } catch (RuntimeException e) {
      return List.of("the product fails: " + e + " at " + List.of(e.getStackTrace()).get(0));
    }
    List<String> problems = new ArrayList<>(RunComparison.differences(product, reference));
    problems.addAll(invariants(run, trace, product, reference));
    coverage.note(reference);
    return problems;
  }

  /** A run of too many instants to be stepped ends in the product, with an error if need be. */
  private static List<String> endsOrSaysWhyNot(
      Trace trace, BlockView view, RunSpec run, Coverage coverage) {
    if (run.settings().admission().policy() != AdmissionPolicies.NONE) {
      // Ticks may be so close that they alone are too many.
      return List.of();
    }
    try {
      new Simulation(trace, view, run.settings()).run();
    } catch (NoProgressException e) {
      coverage.livelocks++;
    }
    return List.of();
  }

  /** What must hold of any run, whoever found it. */
  private static List<String> invariants(
      RunSpec run, Trace trace, RunResult product, ReferenceResult reference) {
    List<String> broken = new ArrayList<>();
    boolean unlimited = run.settings().timeLimitNanos() == Long.MAX_VALUE;
    for (ReferenceRow row : reference.rows()) {
      int charged = 0;
      for (LedgerClass kind : LedgerClass.values()) {
        charged += product.columns().ledger(kind, row.row);
      }
      int expected = row.admitted() ? trace.inputTokens(row.request) : 0;
      if (charged != expected) {
        broken.add("row " + row.row + " ledger sums to " + charged + ", expected " + expected);
      }
      if (row.ends > 1 || (row.sent() && unlimited && row.ends != 1)) {
        broken.add("row " + row.row + " ended " + row.ends + " times");
      }
      if (row.ends == 1 && !product.columns().state(row.row).isTerminal()) {
        broken.add("row " + row.row + " is open after its end");
      }
    }
    boolean leavesOut =
        run.settings().dispatch() instanceof DispatchSettings.Lanes lanes
            && (lanes.randomStart() || lanes.limit() < Long.MAX_VALUE);
    long sent = reference.rows().stream().filter(ReferenceRow::sent).count();
    if (unlimited && !leavesOut && sent != trace.requestCount()) {
      broken.add(sent + " of " + trace.requestCount() + " requests were sent");
    }
    long hits = 0;
    for (ReferenceRow row : reference.rows()) {
      hits += product.columns().ledger(LedgerClass.HIT_DEVICE, row.row);
    }
    RealisedBound bound = RealisedBound.of(product.lookUps());
    if (hits > bound.workerTokens() || bound.workerTokens() > bound.pooledTokens()) {
      broken.add(hits + " tokens were found, at most possible: " + bound);
    }
    for (int w = 0; unlimited && w < product.workers().size(); w++) {
      if (product.workers().get(w).usedBlocks() != 0) {
        broken.add("worker " + w + " keeps " + product.workers().get(w).usedBlocks() + " blocks");
      }
    }
    return broken;
  }

  /** The random runs reach what they are meant to reach. */
  static final class Coverage {
    private long runs;
    private long endless;
    private long livelocks;
    private long preemptions;
    private long evictions;
    private long rejections;
    private long clipped;
    private long open;
    private long held;
    private long pauses;
    private long forced;
    private long marks;
    private long overruled;
    private long failed;
    private long accepted;
    private long delayed;
    private long onTheirWay;
    private final long[] ledger = new long[LedgerClass.values().length];

    void note(ReferenceResult result) {
      runs++;
      for (ReferenceRow row : result.rows()) {
        preemptions += row.preemptions;
        clipped += row.clipped;
        open += row.sent() && row.ends == 0 ? 1 : 0;
        overruled += row.worker >= 0 && row.worker != row.routerChoice ? 1 : 0;
        failed += row.state == RequestState.FAILED ? 1 : 0;
        delayed += row.queued > row.placed ? 1 : 0;
        onTheirWay += row.state == RequestState.ROUTED ? 1 : 0;
        for (LedgerClass kind : LedgerClass.values()) {
          ledger[kind.ordinal()] += row.charged(kind);
        }
      }
      rejections += result.rejections().size();
      held += result.admission().holds().values().stream().mapToLong(Long::longValue).sum();
      pauses += result.admission().pauses();
      forced += result.admission().forcedResumes();
      marks += result.admission().marks();
      result.workers().forEach(worker -> evictions += worker.evictedKeys);
      result.workers().forEach(worker -> accepted += worker.acceptedTokens);
    }

    @Override
    public String toString() {
      StringBuilder text = new StringBuilder();
      text.append(runs).append(" runs (").append(endless).append(" more are too long to step, ");
      text.append(livelocks).append(" of them without end): ");
      text.append(preemptions).append(" preemptions, ");
      text.append(evictions).append(" evicted keys, ");
      text.append(rejections).append(" rejections, ");
      text.append(clipped).append(" clipped tokens, ");
      text.append(failed).append(" given up, ");
      text.append(accepted).append(" drafted tokens accepted, ");
      text.append(open).append(" requests open at the end, ");
      text.append(held).append(" held, ").append(pauses).append(" pauses, ");
      text.append(forced).append(" forced resumes, ").append(marks).append(" marks, ");
      text.append(overruled).append(" router choices overruled");
      for (LedgerClass kind : LedgerClass.values()) {
        if (ledger[kind.ordinal()] > 0) {
          text.append(", ").append(ledger[kind.ordinal()]).append(' ').append(kind.key());
        }
      }
      return text.toString();
    }

    void assertEverythingHappened() {
      assertThat(endless).as("runs that do not end").isLessThan(2 + runs / 100);
      assertThat(preemptions).as("preemptions").isGreaterThan(100);
      assertThat(evictions).as("evicted keys").isGreaterThan(100);
      assertThat(accepted).as("drafted tokens accepted").isGreaterThan(100);
      assertThat(rejections).as("rejections").isGreaterThan(100);
      assertThat(clipped).as("clipped tokens").isGreaterThan(100);
      assertThat(open).as("requests open at a time limit").isGreaterThan(100);
      assertThat(held).as("held requests").isGreaterThan(100);
      assertThat(pauses).as("paused sessions").isGreaterThan(100);
      assertThat(forced).as("forced resumes").isGreaterThan(100);
      assertThat(marks).as("marked sessions").isGreaterThan(100);
      assertThat(overruled).as("router choices overruled").isGreaterThan(100);
      assertThat(delayed).as("requests that the host held up").isGreaterThan(100);
      assertThat(onTheirWay).as("requests with the host at a time limit").isGreaterThan(100);
      for (LedgerClass kind :
          List.of(
              LedgerClass.HIT_DEVICE,
              LedgerClass.TAIL,
              LedgerClass.UNIDENTIFIED,
              LedgerClass.IN_FLIGHT,
              LedgerClass.REWRITTEN,
              LedgerClass.NEW,
              LedgerClass.UNALIGNED,
              LedgerClass.QUEUE_EVICTED,
              LedgerClass.MISPLACED_CHOSEN,
              LedgerClass.MISPLACED_BLIND,
              LedgerClass.EVICTED)) {
        assertThat(ledger[kind.ordinal()]).as(kind.key()).isGreaterThan(100);
      }
    }
  }
}

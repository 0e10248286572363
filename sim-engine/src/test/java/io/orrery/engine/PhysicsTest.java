package io.orrery.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.engine.DispatchSettings.Lanes;
import io.orrery.engine.DispatchSettings.Timestamps;
import io.orrery.engine.record.LedgerClass;
import io.orrery.engine.record.RunColumns;
import io.orrery.engine.record.RunResult;
import io.orrery.engine.scheduler.EngineRules.CapacityPolicy;
import io.orrery.engine.scheduler.SchedulerSettings;
import io.orrery.engine.scheduler.Speculation;
import io.orrery.models.Deployment;
import io.orrery.models.StepShape;
import io.orrery.models.StepTimeModel;
import io.orrery.traces.Trace;
import io.orrery.traces.TraceBuilder;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whole runs obey hardware and arithmetic. */
class PhysicsTest {
  private final Deployment minimax = Runs.minimax();
  private final StepTimeModel roofline = Runs.roofline(minimax);

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void firstTokenOfAnIdleClusterComesAfterItsPrefillSteps(boolean asynchronous) {
    // 20,000 tokens with a budget of 8,192: chunks of 8,192, 8,192 and 3,616 tokens, then decodes.
    Trace trace =
        Trace.builder(64).session("a").request("a1").input(20_000).output(3).arrival(5_000).build();
    RunResult result =
        Runs.run(
            trace,
            new Timestamps(1),
            1,
            Runs.scheduler(64, Runs.kvBlocks(minimax, 64), asynchronous),
            roofline,
            "round-robin");

    long prefill = prefill(8192, 0) + prefill(8192, 8192) + prefill(3616, 16384);
    RunColumns columns = result.columns();
    assertThat(columns.arrivalNanos(0)).isEqualTo(5_000);
    assertThat(columns.scheduledNanos(0)).isEqualTo(5_000);
    assertThat(columns.firstTokenNanos(0)).isEqualTo(5_000 + prefill);
    assertThat(columns.secondTokenNanos(0) - columns.firstTokenNanos(0)).isEqualTo(decode(20_001));
    assertThat(columns.endNanos(0) - columns.secondTokenNanos(0)).isEqualTo(decode(20_002));
    assertThat(result.endNanos()).isEqualTo(columns.endNanos(0));
  }

  @Test
  void hostTimeOfARequestComesBeforeTheQueueAndCountsInTtft() {
    Trace trace =
        Trace.builder(64)
            .session("a")
            .request("a1")
            .input(8_000)
            .output(2)
            .arrival(5_000)
            .session("b")
            .request("b1")
            .input(100)
            .output(2)
            .arrival(6_000)
            .build();
    RunResult result =
        Runs.run(
            trace,
            new Timestamps(1),
            1,
            Runs.scheduler(64, Runs.kvBlocks(minimax, 64), true),
            afterHost(roofline, 20_000, 3),
            "round-robin");

    // The shorter prompt is tokenised sooner and overtakes: 6,000 + 20,000 + 3 * 100 ns.
    RunColumns columns = result.columns();
    assertThat(columns.placedNanos(1)).isEqualTo(6_000);
    assertThat(columns.queuedNanos(1)).isEqualTo(26_300);
    assertThat(columns.scheduledNanos(1)).isEqualTo(26_300);
    assertThat(columns.firstTokenNanos(1)).isEqualTo(26_300 + prefill(100, 0));
    assertThat(columns.queuedNanos(0)).isEqualTo(5_000 + 20_000 + 3 * 8_000);
    for (int row = 0; row < 2; row++) {
      long host = columns.queuedNanos(row) - columns.placedNanos(row);
      long queue = columns.scheduledNanos(row) - columns.queuedNanos(row);
      long compute = columns.firstTokenNanos(row) - columns.scheduledNanos(row);
      assertThat(host + queue + compute)
          .isEqualTo(columns.firstTokenNanos(row) - columns.arrivalNanos(row));
    }
  }

  @Test
  void coldLongPromptIsNoFasterThanItsArithmetic() {
    Trace trace =
        Trace.builder(64).session("a").request("a1").input(32_768).output(1).arrival(0).build();
    RunResult result =
        Runs.run(
            trace,
            new Timestamps(1),
            1,
            Runs.scheduler(64, Runs.kvBlocks(minimax, 64), true),
            roofline,
            "round-robin");

    // Active parameters in matrix products (without the input embedding, and the output head for
    // one token only), 2 FLOPs each, on two GPUs with 9 PFLOP/s in FP4.
    double active = 10_415_496_192.0 - 614_596_608.0;
    double seconds = 2 * active * 32_768 / (2 * 9e15);
    assertThat(result.columns().firstTokenNanos(0) / 1e9).isGreaterThan(seconds);
  }

  @Test
  void completionsNeverRunAheadOfTheOfferedLoad() {
    Trace trace = chat(400, 20_000_000L, 7);
    RunResult result =
        Runs.run(
            trace,
            new Timestamps(1),
            2,
            Runs.scheduler(16, 20_000, true),
            roofline,
            "least-loaded");

    RunColumns columns = result.columns();
    for (int row = 0; row < columns.rows(); row++) {
      assertThat(columns.endNanos(row)).isGreaterThan(columns.firstTokenNanos(row) - 1);
      assertThat(columns.firstTokenNanos(row)).isGreaterThan(columns.arrivalNanos(row));
      assertThat(columns.arrivalNanos(row)).isEqualTo(trace.arrivalNanos(row));
    }
    // Over its whole span the cluster completes no more per second than was offered.
    assertThat(result.endNanos()).isGreaterThan(trace.arrivalNanos(trace.requestCount() - 1));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void moreBlocksNeverLowerTheHitsOfOneWorker(long seed) {
    // One request at a time, so that the look-up order is the same whatever the pool.
    Trace trace = chat(300, 0, seed);
    long before = -1;
    for (int blocks : new int[] {300, 400, 600, 900, 1_500, 3_000, 10_000}) {
      RunResult result =
          Runs.run(
              trace,
              new Lanes(1, false, false),
              1,
              Runs.scheduler(16, blocks, true),
              roofline,
              "round-robin");
      long hits = Runs.ledger(result.columns(), LedgerClass.HIT_DEVICE);
      assertThat(hits).as("hits with %d blocks", blocks).isGreaterThanOrEqualTo(before);
      before = hits;
    }
    assertThat(before).isPositive();
  }

  @ParameterizedTest
  @ValueSource(strings = {"round-robin", "least-loaded", "session-affinity", "kv-aware", "random"})
  void hitsStayUnderTheOrderFreeBoundAndClassesSumToTheInput(String policy) {
    for (int blocks : new int[] {250, 700, 5_000}) {
      boundsHold(Runs.scheduler(16, blocks, true), policy);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {250, 700, 5_000})
  void theOtherEnginesKeepTheSameBounds(int blocks) {
    boundsHold(Runs.sglang(16, blocks), "kv-aware");
    boundsHold(Runs.sglang(1, 16 * blocks), "kv-aware");
    boundsHold(Runs.tensorRt(16, blocks, CapacityPolicy.GUARANTEED_NO_EVICT), "kv-aware");
    boundsHold(Runs.tensorRt(16, blocks, CapacityPolicy.MAX_UTILIZATION), "kv-aware");
  }

  @Test
  void speculationIsOnTheDecodeLedgerAlone() {
    // One request at a time, whose outputs nobody asks for again: the engine does the same prefill,
    // whatever the decodes take.
    TraceBuilder builder = Trace.builder(16);
    for (int i = 0; i < 100; i++) {
      builder
          .session("s" + i)
          .request("r" + i)
          .input(70 + i)
          .output(1 + 3 * i)
          .blocks(i % 4, 10 + i % 4, 20 + i % 8, 100 + i)
          .arrival(i);
    }
    Trace trace = builder.build();
    SchedulerSettings plain = Runs.scheduler(16, 1_500, true);
    RunResult without =
        Runs.run(trace, new Lanes(1, false, false), 1, plain, roofline, "round-robin");
    RunResult with =
        Runs.run(
            trace,
            new Lanes(1, false, false),
            1,
            plain.withSpeculation(
                new Speculation(
                    3,
                    List.of(0.9, 0.8, 0.7),
                    Speculation.Mode.SAMPLED,
                    false,
                    OptionalLong.of(100_000))),
            roofline,
            "round-robin");

    for (LedgerClass kind : LedgerClass.values()) {
      assertThat(Runs.ledger(with.columns(), kind))
          .as(kind.key())
          .isEqualTo(Runs.ledger(without.columns(), kind));
    }
    assertThat(with.workers().get(0).prefillBusyNanos())
        .isEqualTo(without.workers().get(0).prefillBusyNanos());
    // Fewer steps, though not always less time: four tokens wake more experts than one.
    assertThat(with.workers().get(0).steps()).isLessThan(without.workers().get(0).steps() * 2 / 3);
    assertThat(with.workers().get(0).acceptedTokens()).isPositive();
    for (int row = 0; row < trace.requestCount(); row++) {
      assertThat(with.columns().outputTokens(row)).isEqualTo(trace.outputTokens(row));
    }
  }

  private void boundsHold(SchedulerSettings scheduler, String policy) {
    Trace trace = chat(500, 0, 11);
    RunResult result = Runs.run(trace, new Lanes(24, false, false), 3, scheduler, roofline, policy);
    RunColumns columns = result.columns();
    long input = 0;
    for (int row = 0; row < columns.rows(); row++) {
      int sum = 0;
      for (LedgerClass kind : LedgerClass.values()) {
        sum += columns.ledger(kind, row);
      }
      assertThat(sum).isEqualTo(trace.inputTokens(row));
      input += sum;
    }
    long bound =
        input
            - Runs.ledger(columns, LedgerClass.TAIL)
            - Runs.ledger(columns, LedgerClass.UNIDENTIFIED)
            - 16 * result.prefilledOnly();
    assertThat(Runs.ledger(columns, LedgerClass.HIT_DEVICE)).isLessThanOrEqualTo(bound);
    assertThat(Runs.ledger(columns, LedgerClass.UNREACHABLE)).isZero();
    result.workers().forEach(w -> assertThat(w.usedBlocks()).isZero());
    result
        .workers()
        .forEach(
            w ->
                assertThat(w.prefillBusyNanos() + w.decodeBusyNanos())
                    .isLessThanOrEqualTo(result.endNanos()));
  }

  @Test
  void aSpeedupThatOutlastsTheClockIsRefused() {
    Trace trace =
        Trace.builder(64)
            .session("a")
            .request("a1")
            .input(10)
            .arrival(0)
            .session("b")
            .request("b1")
            .input(10)
            .arrival(40_000_000_000_000_000L)
            .build();
    assertThatThrownBy(
            () ->
                Runs.run(
                    trace,
                    new Timestamps(1e-8),
                    1,
                    Runs.scheduler(64, 100, true),
                    roofline,
                    "round-robin"))
        .isInstanceOf(SimulatedTimeException.class)
        .hasMessage(
            "trace.timestamps.speedup: found 1.0E-8, which sends request b1 after more than 73"
                + " years, expected a greater one");
  }

  private long prefill(int tokens, int prefix) {
    StepShape shape = new StepShape();
    shape.addPrefill(tokens, prefix);
    return roofline.stepNanos(shape);
  }

  /** The same passes behind a host that takes time for a request and its tokens. */
  private static StepTimeModel afterHost(StepTimeModel passes, long perRequest, long perToken) {
    return new StepTimeModel() {
      @Override
      public String name() {
        return passes.name();
      }

      @Override
      public long stepNanos(StepShape shape) {
        return passes.stepNanos(shape);
      }

      @Override
      public long requestNanos(int promptTokens) {
        return perRequest + perToken * promptTokens;
      }
    };
  }

  private long decode(int context) {
    StepShape shape = new StepShape();
    shape.addDecode(context);
    return roofline.stepNanos(shape);
  }

  /**
   * Sessions of up to 8 turns that grow by a few hundred tokens and share one of four system
   * prompts; a few turns rewrite their second half.
   */
  private static Trace chat(int requests, long gapNanos, long seed) {
    Draws draws = new Draws(seed, "chat");
    TraceBuilder builder = Trace.builder(16);
    long fresh = 1_000;
    int made = 0;
    for (int session = 0; made < requests; session++) {
      builder.session("s" + session);
      int turns = 1 + draws.below(8, session, 0);
      long[] context = new long[12];
      long system = 20L * draws.below(4, session, 1);
      for (int i = 0; i < context.length; i++) {
        context[i] = system + i;
      }
      for (int turn = 0; turn < turns && made < requests; turn++) {
        int grown = 4 + draws.below(30, session, 10 + turn);
        int kept = draws.below(12, session, 100 + turn) == 0 ? context.length / 2 : context.length;
        long[] next = java.util.Arrays.copyOf(context, kept + grown);
        for (int i = kept; i < next.length; i++) {
          next[i] = fresh++;
        }
        context = next;
        builder
            .request("s" + session + "." + turn)
            .input(context.length * 16 + draws.below(16, session, 200 + turn))
            .output(1 + draws.below(60, session, 300 + turn))
            .blocks(context)
            .arrival(made * gapNanos);
        if (turn > 0) {
          builder.afterPrevious(1_000_000L * draws.below(50, session, 400 + turn));
        }
        made++;
      }
    }
    return builder.build();
  }
}

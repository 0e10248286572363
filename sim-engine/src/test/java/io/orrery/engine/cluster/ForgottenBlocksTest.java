package io.orrery.engine.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.engine.DispatchSettings;
import io.orrery.engine.PoolSettings;
import io.orrery.engine.RequestState;
import io.orrery.engine.RouterSettings;
import io.orrery.engine.SimulationSettings;
import io.orrery.engine.record.Recorder;
import io.orrery.engine.routing.RoutingPolicies;
import io.orrery.engine.scheduler.SchedulerSettings;
import io.orrery.models.StepShape;
import io.orrery.models.StepTimeModel;
import io.orrery.traces.BlockView;
import io.orrery.traces.Trace;
import io.orrery.traces.TraceBuilder;
import java.util.List;
import java.util.TreeMap;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * What is known of blocks grows with the sessions that are alive, not with those that were. A
 * session has three turns with prompts of 40, 80 and 120 blocks of its own, so its blocks lie in
 * four or five pages; the caches hold everything for ever.
 */
class ForgottenBlocksTest {
  private static final int SESSIONS = 60;
  private static final int TURNS = 3;
  private static final int TURN_BLOCKS = 40;
  private static final int PAGES_OF_A_SESSION = 5;
  private static final int BLOCK = 16;

  private static final StepTimeModel MILLISECOND =
      new StepTimeModel() {
        @Override
        public String name() {
          return "1 ms a step";
        }

        @Override
        public long stepNanos(StepShape shape) {
          return shape.newTokens() == 0 ? 0 : 1_000_000;
        }
      };

  private static Trace trace(int sharedBlocks) {
    TraceBuilder builder = Trace.builder(BLOCK);
    for (int session = 0; session < SESSIONS; session++) {
      for (int turn = 0; turn < TURNS; turn++) {
        long[] blocks = new long[(turn + 1) * TURN_BLOCKS];
        for (int i = 0; i < blocks.length; i++) {
          blocks[i] = i < sharedBlocks ? i : 1_000L * (session + 1) + i;
        }
        builder
            .session("s" + session)
            .request("s" + session + "." + turn)
            .input(blocks.length * BLOCK)
            .output(20)
            .blocks(blocks)
            .arrival(0);
        if (turn > 0) {
          builder.afterPrevious(0);
        }
      }
    }
    return builder.build();
  }

  private static ClusterRun run(Trace trace, DispatchSettings dispatch, IntConsumer pages) {
    SchedulerSettings scheduler =
        new SchedulerSettings(
            BLOCK, 100_000, 8192, 16, 10_000, 0, true, true, false, true, true, 0, true, false);
    SimulationSettings settings =
        new SimulationSettings(
            dispatch,
            List.of(new PoolSettings("main", 2, 1, scheduler, MILLISECOND)),
            RoutingPolicies.named("kv-aware"),
            new TreeMap<>(),
            1,
            RouterSettings.IDEAL,
            Long.MAX_VALUE,
            1);
    PageCount count = new PageCount(pages);
    ClusterRun run = new ClusterRun(trace, BlockView.of(trace, BLOCK), settings, count, n -> {});
    count.run = run;
    run.run();
    return run;
  }

  /** Tells how many pages are known whenever a request ends. */
  private static final class PageCount implements Recorder {
    private final IntConsumer pages;
    private @Nullable ClusterRun run;

    PageCount(IntConsumer pages) {
      this.pages = pages;
    }

    @Override
    public void ended(int row, RequestState how, long now) {
      if (run != null) {
        pages.accept(run.knownPages());
      }
    }
  }

  private static int most(Trace trace, DispatchSettings dispatch) {
    int[] most = {0};
    ClusterRun run = run(trace, dispatch, pages -> most[0] = Math.max(most[0], pages));
    assertThat(run.knownPages()).as("pages at the end").isZero();
    return most[0];
  }

  @Test
  void sessionsOneAfterTheOtherNeedThePagesOfOne() {
    int most = most(trace(0), new DispatchSettings.Lanes(1, false, false));
    // Pages at the border of two sessions belong to both.
    assertThat(most).isBetween(3, PAGES_OF_A_SESSION + 1);
  }

  @Test
  void sessionsAtTheSameTimeNeedThePagesOfThose() {
    int most = most(trace(0), new DispatchSettings.Lanes(10, false, false));
    assertThat(most).isBetween(30, 10 * PAGES_OF_A_SESSION + 10);
    assertThat(most(trace(0), new DispatchSettings.Timestamps(1)))
        .as("all at once")
        .isGreaterThan(3 * most);
  }

  @Test
  void whatSessionsShareIsKeptUntilTheLastOneIsOver() {
    int most = most(trace(32), new DispatchSettings.Lanes(1, false, false));
    assertThat(most).isBetween(4, PAGES_OF_A_SESSION + 2);
  }

  @Test
  void recycledCopiesForgetTheirOwn() {
    int[] most = {0};
    DispatchSettings lanes = new DispatchSettings.Lanes(4, true, false, 5L * SESSIONS);
    ClusterRun run = run(trace(0), lanes, pages -> most[0] = Math.max(most[0], pages));
    assertThat(run.knownPages()).isZero();
    assertThat(most[0]).isBetween(12, 4 * PAGES_OF_A_SESSION + 8);
  }

  @Test
  void turnsThatAreLeftOutClaimNothing() {
    int most = most(trace(0), new DispatchSettings.Lanes(2, false, true));
    assertThat(most).isBetween(4, 2 * PAGES_OF_A_SESSION + 4);
  }
}

package io.orrery.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.orrery.engine.DispatchSettings.Arrivals;
import io.orrery.engine.DispatchSettings.ClosedLoop;
import io.orrery.engine.DispatchSettings.Timestamps;
import io.orrery.engine.record.RunColumns;
import io.orrery.engine.record.RunResult;
import io.orrery.models.Deployment;
import io.orrery.traces.Trace;
import io.orrery.traces.TraceBuilder;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Starts that were recorded in ticks can be spread over them. */
class JitterTest {
  private static final long TICK = 3_000_000_000L;
  private static final int PER_TICK = 20;
  private static final int REQUESTS = 400;

  private final Deployment minimax = Runs.minimax();

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void startsAreSpreadOverTheirTick(boolean closedLoop) {
    RunColumns columns = run(jitter(closedLoop, TICK), 1).columns();

    double sum = 0;
    for (int row = 0; row < REQUESTS; row++) {
      long later = columns.arrivalNanos(row) - recorded(row);
      assertThat(later).isBetween(0L, TICK - 1);
      sum += later;
    }
    // Even between 0 and 3 s: the mean of 400 is 1.5 s, give or take 0.043 s.
    assertThat(sum / REQUESTS / TICK).isCloseTo(0.5, within(0.05));
    assertThat(Arrays.stream(starts(columns)).distinct().count()).isEqualTo(REQUESTS);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theSeedDecidesAndNothingElse(boolean closedLoop) {
    DispatchSettings jitter = jitter(closedLoop, TICK);

    assertThat(starts(run(jitter, 1, "least-loaded").columns()))
        .isEqualTo(starts(run(jitter, 1).columns()));
    assertThat(starts(run(jitter, 2).columns())).isNotEqualTo(starts(run(jitter, 1).columns()));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void withoutJitterStartsAreAsRecorded(boolean closedLoop) {
    RunColumns columns = run(jitter(closedLoop, 0), 1).columns();

    for (int row = 0; row < REQUESTS; row++) {
      assertThat(columns.arrivalNanos(row)).isEqualTo(recorded(row));
    }
  }

  @Test
  void theSpeedDividesTheJitterToo() {
    RunColumns columns = run(new Timestamps(2, TICK), 1).columns();
    RunColumns slow = run(new Timestamps(1, TICK), 1).columns();

    for (int row = 0; row < REQUESTS; row++) {
      assertThat(columns.arrivalNanos(row)).isEqualTo(slow.arrivalNanos(row) / 2);
    }
  }

  private static DispatchSettings jitter(boolean closedLoop, long nanos) {
    return closedLoop ? new ClosedLoop(new Arrivals.Recorded(nanos)) : new Timestamps(1, nanos);
  }

  private static long recorded(int row) {
    return row / PER_TICK * TICK;
  }

  private static long[] starts(RunColumns columns) {
    long[] starts = new long[REQUESTS];
    Arrays.setAll(starts, columns::arrivalNanos);
    return starts;
  }

  private RunResult run(DispatchSettings dispatch, long seed) {
    return run(dispatch, seed, "round-robin");
  }

  private RunResult run(DispatchSettings dispatch, long seed, String policy) {
    TraceBuilder builder = Trace.builder(64);
    for (int i = 0; i < REQUESTS; i++) {
      builder.session("s" + i).request("r" + i).input(100).output(2).arrival(recorded(i));
    }
    return Runs.run(
        builder.build(),
        dispatch,
        2,
        Runs.scheduler(64, Runs.kvBlocks(minimax, 64), true),
        Runs.roofline(minimax),
        policy,
        seed);
  }
}

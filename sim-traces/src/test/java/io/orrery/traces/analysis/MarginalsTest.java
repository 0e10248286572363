package io.orrery.traces.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.traces.EdgeTrigger;
import io.orrery.traces.Trace;
import io.orrery.traces.columns.LongColumn;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class MarginalsTest {
  private static Trace trace() {
    return Trace.builder(64)
        .session("a")
        .request("a1")
        .input(128)
        .output(10)
        .blocks(1, 2)
        .arrival(0)
        .request("a2")
        .input(192)
        .output(5)
        .blocks(1, 2, 3)
        .afterPrevious(7)
        .request("a3")
        .input(100)
        .output(1)
        .blocks(9)
        .afterPrevious(9)
        .session("b")
        .request("b1")
        .input(50)
        .output(2)
        .arrival(40)
        .build();
  }

  @Test
  void samplesOfRequestsAndSessions() {
    Marginals samples = Marginals.of(trace());

    assertThat(samples.inputTokens().toArray()).containsExactlyInAnyOrder(128, 192, 100, 50);
    assertThat(samples.turns().toArray()).containsExactly(3, 1);
    assertThat(samples.gaps().toArray()).containsExactly(40);
    assertThat(samples.toolWaits().toArray()).isEmpty();
    assertThat(samples.otherWaits().toArray()).containsExactly(7, 9);
    assertThat(samples.growth().toArray()).containsExactly(192 - 138, 100 - 197);
    assertThat(samples.resent().toArray()).containsExactly(128, 0);
  }

  /** Where only starts are known, nobody knows how much of the time between them was a wait. */
  @Test
  void startsAloneSayNothingOfWaits() {
    Trace trace =
        Trace.builder(64)
            .session("a")
            .request("a1")
            .input(128)
            .output(10)
            .arrival(0)
            .request("a2")
            .input(128)
            .output(10)
            .arrival(50)
            .after("a1", EdgeTrigger.DISPATCH, 50)
            .after("a1", EdgeTrigger.COMPLETION, 0)
            .build();

    assertThat(Marginals.of(trace).otherWaits().toArray()).isEmpty();
  }

  @Test
  void quantilesAreValues() {
    long[] values = new long[100];
    Arrays.setAll(values, i -> 100 - i);

    Distribution of = Distribution.of(LongColumn.of(values));

    assertThat(of.p10()).isEqualTo(10);
    assertThat(of.p50()).isEqualTo(50);
    assertThat(of.p99()).isEqualTo(99);
    assertThat(of.max()).isEqualTo(100);
    assertThat(of.mean()).isEqualTo(50.5);
    assertThat(Distribution.of(LongColumn.of()).p50()).isNaN();
  }

  @Test
  void concurrencyCountsWhoTouches() {
    Concurrency at = Concurrency.of(LongColumn.of(0, 5, 10, 30), LongColumn.of(10, 6, 20, 40));

    assertThat(at.most()).isEqualTo(2);
    assertThat(at.mean()).isEqualTo((10 + 1 + 10 + 10) / 40.0);
  }
}

package io.orrery.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class TimingTest {
  @Test
  void theWholeIsNeverLessThanItsPartsHoweverTheWallClockIsSet() {
    AtomicLong nanos = new AtomicLong();
    AtomicLong wall = new AtomicLong(1_000_000);
    Timing timing = new Timing(nanos::get, wall::get);
    nanos.set(1_000_000_000L);
    timing.loaded();
    nanos.set(5_000_000_000L);
    wall.set(0);
    // Two runs of 3 s at once take 4 s by the clock, not 6 s.
    timing.replayed(
        List.of(
            new Timing.Replay("a", 3_000_000_000L, 10), new Timing.Replay("b", 3_000_000_000L, 5)));

    assertThat(timing.line()).startsWith("15 requests replayed in 4.00 s, 5.00 s in all");
  }
}

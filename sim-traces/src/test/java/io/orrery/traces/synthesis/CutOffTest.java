package io.orrery.traces.synthesis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.orrery.traces.Trace;
import io.orrery.traces.TraceBuilder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a trace's end hides. */
class CutOffTest {
  private static final long SECOND = 1_000_000_000L;

  /** Sessions by the seconds of their starts. */
  private static CutOff of(boolean clock, List<long[]> sessions) {
    TraceBuilder builder = Trace.builder(16).sharedClock(clock);
    for (int s = 0; s < sessions.size(); s++) {
      builder.session("s" + s);
      for (int turn = 0; turn < sessions.get(s).length; turn++) {
        builder.request(s + "#" + turn).input(32).arrival(sessions.get(s)[turn] * SECOND);
      }
    }
    Trace trace = builder.build();
    List<int[]> requests = new ArrayList<>();
    for (int s = 0; s < trace.sessionCount(); s++) {
      int[] own = new int[trace.requestCount(s)];
      for (int turn = 0; turn < own.length; turn++) {
        own[turn] = trace.request(s, turn);
      }
      requests.add(own);
    }
    return new CutOff(trace, false, requests);
  }

  /**
   * Sessions that begin at any time of 1,000 s go on with probability 0.8 after 200 s in the mean:
   * five turns, of which half are seen.
   */
  @Test
  void turnsThatWereNotSeenAreEstimated() {
    List<long[]> sessions = new ArrayList<>();
    long all = 0;
    for (int s = 0; s < 4_000; s++) {
      RandomStream stream = new RandomStream(3, "sessions", s);
      double now = 1_000 * stream.uniform();
      List<Long> starts = new ArrayList<>();
      boolean on = true;
      while (on && now < 1_000) {
        starts.add((long) now);
        now -= 200 * Math.log(1 - stream.uniform());
        on = stream.chance(0.8);
      }
      sessions.add(starts.stream().mapToLong(Long::longValue).toArray());
      all += starts.size();
    }
    double seen = all / 4_000.0;
    CutOff cutOff = of(true, sessions);
    double estimated = Arrays.stream(cutOff.turns()).average().orElse(0);

    assertThat(seen).isLessThan(2.8);
    assertThat(estimated).isCloseTo(5, within(0.7));
    assertThat(cutOff.weight(600.0 * SECOND)).isGreaterThan(1.5);
    assertThat(cutOff.weight(10.0 * SECOND)).isLessThan(0.9);
  }

  /** All of them went on at once, and none did in the long silence at the end. */
  @Test
  void whatWouldHaveBeenSeenIsNotAdded() {
    List<long[]> sessions = new ArrayList<>();
    for (int s = 0; s < 50; s++) {
      sessions.add(new long[] {s, s + 1, s + 2});
    }
    sessions.add(new long[] {10_000});

    int[] turns = of(true, sessions).turns();
    assertThat(Arrays.copyOf(turns, 50)).containsOnly(3);
  }

  @Test
  void sessionsWithoutACommonClockAreWhole() {
    CutOff cutOff = of(false, List.of(new long[] {0, 5, 500}, new long[] {0, 7}));

    assertThat(cutOff.turns()).containsExactly(3, 2);
    assertThat(cutOff.weight(5.0 * SECOND)).isEqualTo(1);
  }
}

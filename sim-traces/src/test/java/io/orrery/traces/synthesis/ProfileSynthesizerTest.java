package io.orrery.traces.synthesis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.orrery.traces.EdgeTrigger;
import io.orrery.traces.Trace;
import io.orrery.traces.TraceReaders;
import io.orrery.traces.TraceStatistics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reading a file checks all that a trace promises, so every test here checks that, too. */
class ProfileSynthesizerTest {
  private static final double SECOND = 1e9;

  @TempDir Path folder;

  private Trace draw(
      String profile, long seed, @Nullable SyntheticArrivals arrivals, int sessions, int requests) {
    Path file = folder.resolve(profile + seed + ".parquet");
    ProfileSynthesizer.Written written =
        new ProfileSynthesizer(TraceProfile.named(profile), seed, arrivals)
            .write(file, sessions, requests);
    Trace trace = TraceReaders.read(file);
    assertThat(written.requests()).isEqualTo(trace.requestCount());
    assertThat(written.sessions()).isEqualTo(trace.sessionCount());
    return trace;
  }

  @Test
  void equalSeedsGiveEqualBytes() throws IOException {
    Path a = folder.resolve("a");
    Path b = folder.resolve("b");
    for (Path file : new Path[] {a, b}) {
      new ProfileSynthesizer(TraceProfile.named("chat"), 5, SyntheticArrivals.atRate(2, 3, 0.5))
          .write(file, 200, Integer.MAX_VALUE);
    }

    assertThat(Files.mismatch(a, b)).isEqualTo(-1);
    assertThat(draw("chat", 6, null, 200, 9_999).digest())
        .isNotEqualTo(draw("chat", 5, null, 200, 9_999).digest());
  }

  @Test
  void requestsAreCutWhereAskedTo() {
    assertThat(draw("chat", 1, SyntheticArrivals.atRate(1, 1, 0), 10_000, 777).requestCount())
        .isEqualTo(777);
    assertThat(draw("claude-code", 1, null, 5, 40).requestCount()).isLessThanOrEqualTo(40);
  }

  @Test
  void sessionsWithoutAClockStandOneAfterTheOther() {
    Trace trace = draw("claude-code", 2, null, 60, Integer.MAX_VALUE);

    assertThat(trace.sharedClock()).isFalse();
    double reused = TraceStatistics.of(trace).topLevelSessionReusedShare();
    assertThat(reused).isBetween(0.9, 0.99);
  }

  /** A child starts after its parent's request; mostly the parent's next one waits for it. */
  @Test
  void subAgentsAreWaitedFor() {
    Trace trace = draw("claude-code", 3, SyntheticArrivals.atRate(0.1, 1, 0), 300, 999_999);

    int children = 0;
    int joins = 0;
    for (int s = 0; s < trace.sessionCount(); s++) {
      if (trace.parentSession(s) >= 0) {
        children++;
        int first = trace.firstRequest(s);
        assertThat(trace.session(trace.edgeFrom(trace.edgeStart(first))))
            .isEqualTo(trace.parentSession(s));
      }
    }
    for (int r = 0; r < trace.requestCount(); r++) {
      for (int e = trace.edgeStart(r); e < trace.edgeEnd(r); e++) {
        assertThat(trace.edgeTrigger(e)).isEqualTo(EdgeTrigger.COMPLETION);
        joins += trace.parentSession(trace.session(trace.edgeFrom(e))) == trace.session(r) ? 1 : 0;
      }
    }
    assertThat(children).isPositive();
    // 86 % in the sessions that the profile is a fit to
    assertThat(joins).isBetween(children / 2, children);
  }

  @Test
  void conversationsWithoutIdsShareTheirBeginnings() {
    Trace trace =
        draw(
            "conversation",
            1,
            SyntheticArrivals.like(TraceProfile.named("conversation")),
            999_999,
            12_031);

    assertThat(trace.sessionCount()).isEqualTo(trace.requestCount());
    // 37.4 % in the trace that the profile is a fit to
    assertThat(TraceStatistics.of(trace).reusedTokenShare()).isBetween(0.35, 0.40);
  }

  /** Batches of the original come every three seconds for an hour, the last as full as others. */
  @Test
  void aTraceEndsAmidItsSessionsAndOnTicks() {
    Trace trace =
        draw(
            "conversation",
            1,
            SyntheticArrivals.like(TraceProfile.named("conversation")),
            999_999,
            12_031);

    long end = trace.arrivalNanos(trace.requestCount() - 1);
    assertThat(end / SECOND).isBetween(3_000.0, 4_200.0);
    int alone = 0;
    int late = 0;
    for (int r = 1; r < trace.requestCount(); r++) {
      alone += trace.arrivalNanos(r) != trace.arrivalNanos(r - 1) ? 1 : 0;
      late += trace.arrivalNanos(r) > end / 10 * 9 ? 1 : 0;
    }
    assertThat(alone).as("distinct starts, 1,180 in the original").isBetween(900, 1_500);
    assertThat(late).isGreaterThan(trace.requestCount() / 20);
  }

  /** Gaps of mean 1/2 s and a coefficient of variation of 3. */
  @Test
  void burstyArrivalsVaryAsMuchAsAskedFor() {
    SyntheticArrivals arrivals = SyntheticArrivals.atRate(2, 3, 0);
    RandomStream stream = new RandomStream(1, "test", 0);
    long now = 0;
    double sum = 0;
    double squares = 0;
    int n = 200_000;
    for (int i = 0; i < n; i++) {
      long next = arrivals.next(now, stream);
      double gap = (next - now) / SECOND;
      sum += gap;
      squares += gap * gap;
      now = next;
    }
    double mean = sum / n;

    assertThat(mean).isCloseTo(0.5, within(0.02));
    assertThat(Math.sqrt(squares / n - mean * mean) / mean).isCloseTo(3, within(0.1));
  }

  /** With an amplitude of 0.8, noon's hour has nine times as many as midnight's: 1.8 to 0.2. */
  @Test
  void diurnalArrivalsFollowTheDay() {
    SyntheticArrivals arrivals = SyntheticArrivals.atRate(1, 1, 0.8);
    RandomStream stream = new RandomStream(1, "test", 0);
    int[] byHour = new int[24];
    long now = 0;
    for (long day = (long) (20 * 86_400 * SECOND); now < day; ) {
      now = arrivals.next(now, stream);
      byHour[(int) (now / (3_600 * SECOND)) % 24]++;
    }

    double atNoon = byHour[11] + byHour[12];
    double atMidnight = byHour[23] + byHour[0];
    assertThat(atNoon / atMidnight).isCloseTo(8.8, within(0.8));
    assertThat(atNoon + atMidnight).isCloseTo(20 * 4 * 3_600, within(3_000.0));
  }

  @Test
  void arrivalsThatCannotBeAreRefused() {
    assertThatThrownBy(() -> SyntheticArrivals.atRate(0, 1, 0)).hasMessageContaining("rate");
    assertThatThrownBy(() -> SyntheticArrivals.atRate(1, 0.5, 0)).hasMessageContaining("burst");
    assertThatThrownBy(() -> SyntheticArrivals.atRate(1, 1, 1.5)).hasMessageContaining("diurnal");
    assertThatThrownBy(() -> SyntheticArrivals.like(TraceProfile.named("claude-code")))
        .hasMessageContaining("common clock");
  }
}

package io.orrery.traces.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.orrery.traces.Trace;
import io.orrery.traces.TraceBuilder;
import io.orrery.traces.TraceStatistics;
import io.orrery.traces.synthesis.AgentTraceSynthesizer;
import org.junit.jupiter.api.Test;

class BlockReuseTest {
  private static final long SECOND = 1_000_000_000L;

  /** Four requests at 0, 5, 65 and 3,665 s; 200 tokens, of which the first 100 are the same. */
  private static Trace fourTimes() {
    TraceBuilder builder = Trace.builder(100);
    long[] seconds = {0, 5, 65, 3_665};
    for (int i = 0; i < seconds.length; i++) {
      builder.session("s" + i).request("r" + i).input(200).output(1);
      builder.blocks(1, 10 + i).arrival(seconds[i] * SECOND);
    }
    return builder.build();
  }

  /** Gaps are 5, 60 and 3,600 s: one, two and three of eight blocks are found. */
  @Test
  void aLongerMemoryFindsMore() {
    BlockReuse reuse = BlockReuse.of(fourTimes());

    assertThat(reuse.hitShares()) // 1 s, 10 s, 1 min, 5 min, 15 min, 1 h, 6 h, 24 h, ever
        .containsExactly(0, 1 / 8.0, 2 / 8.0, 2 / 8.0, 2 / 8.0, 3 / 8.0, 3 / 8.0, 3 / 8.0, 3 / 8.0);
    assertThat(reuse.acrossSessions()).isEqualTo(3 / 8.0);
  }

  /**
   * Within 10 s after each use: the common block for 5 + 10 + 10 + 0 s of 3,665, the others 10 + 10
   * + 10 + 0; each has 100 tokens.
   */
  @Test
  void theWorkingSetIsWhatWasUsedWithinTheWindow() {
    BlockReuse reuse = BlockReuse.of(fourTimes());

    assertThat(reuse.workingSetTokens()[1]).isCloseTo(100 * 55 / 3_665.0, within(1e-9));
    assertThat(reuse.sessionTokens().toArray()).containsExactly(200, 200, 200, 200);
  }

  /**
   * On two workers, the second request finds the common block with probability 1/2, the third 3/4,
   * the fourth 7/8. The difference to 1 is at least a tenth of 200 tokens for the second (50) and
   * the third (25), not for the fourth (12.5).
   */
  @Test
  void routingCanAddWhatARandomPlacementMisses() {
    BlockReuse reuse = BlockReuse.of(fourTimes());

    assertThat(reuse.placed()[0]).isCloseTo((0.5 + 0.75 + 0.875) / 8, within(1e-12));
    assertThat(reuse.upside(0)).isCloseTo((3 - 2.125) / 8, within(1e-12));
    assertThat(reuse.choice()[0]).isEqualTo(2 / 4.0);
  }

  /**
   * The same four requests, and four that name no block: of those nobody knows, so all shares stay.
   */
  @Test
  void promptsWithoutIdentityAreNoPartOfTheShares() {
    TraceBuilder builder = Trace.builder(100);
    long[] seconds = {0, 5, 65, 3_665};
    for (int i = 0; i < seconds.length; i++) {
      builder.session("s" + i).request("r" + i).input(200).output(1);
      builder.blocks(1, 10 + i).arrival(seconds[i] * SECOND);
      builder.session("u" + i).request("v" + i).input(250).output(1).arrival(seconds[i] * SECOND);
    }
    Trace trace = builder.build();

    BlockReuse reuse = BlockReuse.of(trace);
    TraceStatistics counts = TraceStatistics.of(trace);

    assertThat(reuse.hitShares()).isEqualTo(BlockReuse.of(fourTimes()).hitShares());
    assertThat(reuse.acrossSessions()).isEqualTo(3 / 8.0);
    assertThat(reuse.placed()).isEqualTo(BlockReuse.of(fourTimes()).placed());
    assertThat(reuse.choice()[0]).isEqualTo(2 / 4.0);
    assertThat(counts.unidentifiedTokens()).isEqualTo(4 * 250);
    assertThat(counts.unidentifiedShare()).isEqualTo(1_000 / 1_800.0);
    assertThat(counts.identifiedRequests()).isEqualTo(4);
    assertThat(counts.reusedTokenShare()).isEqualTo(3 / 8.0);
  }

  /** 350 tokens are three blocks and a half. */
  @Test
  void aTrailingPartialBlockIsNotUnknown() {
    Trace trace =
        Trace.builder(100)
            .session("a")
            .request("whole")
            .input(350)
            .blocks(1, 2, 3)
            .arrival(0)
            .request("short")
            .input(99)
            .arrival(1)
            .request("half")
            .input(350)
            .blocks(1, 2)
            .arrival(2)
            .build();

    assertThat(trace.unidentifiedTokens(0)).isZero();
    assertThat(trace.unidentifiedTokens(1)).isZero();
    assertThat(trace.unidentifiedTokens(2)).isEqualTo(150);
    assertThat(TraceStatistics.of(trace).identifiedRequests()).isEqualTo(3);
  }

  @Test
  void sessionsWithoutACommonClockShareNoTime() {
    Trace trace =
        Trace.builder(100)
            .sharedClock(false)
            .session("a")
            .request("a1")
            .input(100)
            .blocks(1)
            .arrival(0)
            .session("b")
            .request("b1")
            .input(100)
            .blocks(1)
            .arrival(0)
            .request("b2")
            .input(200)
            .blocks(1, 2)
            .afterPrevious(2 * SECOND)
            .build();

    BlockReuse reuse = BlockReuse.of(trace);

    assertThat(reuse.hitShares()[0]).isZero();
    assertThat(reuse.hitShares()[1]).isEqualTo(100 / 400.0);
    assertThat(reuse.acrossSessions()).isEqualTo(200 / 400.0);
    assertThat(reuse.workingSetTokens()).isEmpty();
  }

  @Test
  void withoutForgettingItFindsWhatTheStatisticsCount() {
    Trace trace = AgentTraceSynthesizer.trace(1, 2_000);

    BlockReuse reuse = BlockReuse.of(trace);

    double counted = TraceStatistics.of(trace).reusedTokenShare();
    assertThat(reuse.acrossSessions()).isCloseTo(counted, within(1e-12));
    assertThat(reuse.hitShares()[8]).isCloseTo(counted, within(1e-9));
  }
}

package io.orrery.reports.summary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.orrery.engine.PoolSettings;
import io.orrery.engine.scheduler.Speculation;
import io.orrery.models.StepShape;
import io.orrery.models.StepTimeModel;
import io.orrery.traces.Trace;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class SpeculationMetricsTest {
  private static final Slo SLO = new Slo(1_000_000_000, 1);

  /** A pass takes 1000 ns and 100 a token; one of the draft head 10 ns a sequence. */
  private record PerToken(long fixedNanos, long nanosPerToken) implements StepTimeModel {
    @Override
    public String name() {
      return "per token";
    }

    @Override
    public long stepNanos(StepShape shape) {
      int tokens = shape.newTokens();
      return tokens == 0 ? 0 : fixedNanos + nanosPerToken * tokens;
    }

    @Override
    public Optional<StepTimeModel> draftHead() {
      return Optional.of(new PerToken(0, 10));
    }
  }

  private static final Trace TRACE =
      Trace.builder(4).session("a").request("a1").input(8).output(7).arrival(0).build();

  private static Summary summary(Speculation speculation) {
    PoolSettings plain = Runs.pool(1, 4, 8, 32);
    PoolSettings pool =
        new PoolSettings(
            "main", 1, 2, plain.scheduler().withSpeculation(speculation), new PerToken(1000, 100));
    return Runs.summary(TRACE, pool, "round-robin", SLO);
  }

  private static Speculation twoDrafts(double acceptance, OptionalLong draftNanos) {
    return new Speculation(
        2, List.of(acceptance, acceptance), Speculation.Mode.EXPECTED, false, draftNanos);
  }

  /**
   * 7 output tokens: one with the prompt, and twice 3 where both drafts are accepted. Each decode
   * takes 1300 ns and drafting behind it 2 · 10, as behind the prompt: 2660 ns of decode. Without
   * drafts the same two decodes take 1100 ns each and yield one token, not three.
   */
  @Test
  void aFasterDecodeIsSetAgainstTheSameStepsWithoutDrafts() {
    Summary summary = summary(twoDrafts(1, OptionalLong.empty()));
    assertThat(summary.get("speculation.tokens_per_step")).hasValue(3);
    assertThat(summary.get("speculation.accepted")).hasValue(1);
    assertThat(summary.get("speculation.decode_speedup").getAsDouble())
        .isCloseTo(3 * 2200 / 2660.0, within(1e-9));
    // the prompt takes 1800 ns of prefill, as without drafts
    assertThat(summary.get("gpu_seconds.prefill")).hasValue(2 * 1800e-9);
    assertThat(summary.get("gpu_seconds.decode")).hasValue(2 * 2660e-9);
  }

  /** Drafts that nobody accepts cost their time: below 1. */
  @Test
  void draftsInVainSlowTheDecodeDown() {
    Summary summary = summary(twoDrafts(0, OptionalLong.of(500)));
    assertThat(summary.get("speculation.tokens_per_step")).hasValue(1);
    assertThat(summary.get("speculation.decode_speedup").getAsDouble()).isLessThan(0.6);
  }

  @Test
  void nothingIsSaidWhereNothingIsDrafted() {
    assertThat(summary(Speculation.NONE).get("speculation.decode_speedup")).isEmpty();
  }
}

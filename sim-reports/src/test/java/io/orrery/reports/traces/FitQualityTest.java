package io.orrery.reports.traces;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.orrery.traces.Trace;
import io.orrery.traces.TraceBuilder;
import io.orrery.traces.TraceReaders;
import io.orrery.traces.synthesis.ProfileFit;
import io.orrery.traces.synthesis.ProfileSynthesizer;
import io.orrery.traces.synthesis.SyntheticArrivals;
import io.orrery.traces.synthesis.TraceProfile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How alike traces are, and how alike those are that are made like public ones. */
class FitQualityTest {
  private static final long SECOND = 1_000_000_000L;

  @TempDir Path folder;

  /** Requests a second apart, whose prompts begin with a block that some share. */
  private static Trace trace(int[] input, long[] first) {
    TraceBuilder builder = Trace.builder(16);
    for (int i = 0; i < input.length; i++) {
      builder.session("s" + i).request("r" + i).input(input[i]).output(1);
      builder.blocks(first[i]).arrival(i * SECOND);
    }
    return builder.build();
  }

  @Test
  void aTraceIsLikeItself() {
    Trace trace = trace(new int[] {16, 20, 24, 28}, new long[] {1, 1, 2, 1});

    FitQuality quality = FitQuality.of(trace, trace);

    assertThat(quality.marginals()).allMatch(marginal -> marginal.distance() == 0);
    assertThat(quality.largestHitDistance()).isZero();
    assertThat(quality.workingSetDistance()).isZero();
    assertThat(quality.placedDistance()).isZero();
  }

  /**
   * One input of four is longer than any of the other trace: a quarter. The second and the fourth
   * find 16 of 88 tokens each; in the other trace, none does.
   */
  @Test
  void distancesAreThoseOfTheDistributionFunctions() {
    Trace original = trace(new int[] {16, 20, 24, 28}, new long[] {1, 1, 2, 1});
    Trace other = trace(new int[] {16, 20, 24, 31}, new long[] {1, 2, 3, 4});

    FitQuality quality = FitQuality.of(original, other);

    assertThat(quality.marginals().get(0).key()).isEqualTo("input_tokens");
    assertThat(quality.marginals().get(0).distance()).isEqualTo(0.25);
    assertThat(quality.largestHitDistance()).isCloseTo(32 / 88.0, within(1e-9));
    // On two workers, of 16 tokens each: once 1/2, once 3/4.
    assertThat(quality.placedDistance()).isCloseTo(16 * 1.25 / 88, within(1e-6));
    assertThat(quality.toText()).contains("KS distance", "requests in a second", "36.4 % at most");
  }

  /**
   * Documents that are asked about again and again, conversations, agents, and bursts.
   *
   * @param marginal more than the distance of any distribution, but for that of minutes, which are
   *     few, and of the times of sessions
   */
  @ParameterizedTest
  @CsvSource({
    "mooncake/synthetic_trace.jsonl, 0.05, 0.04, 0.16",
    "mooncake/conversation_trace.jsonl, 0.03, 0.02, 0.06",
    "claude-code/claude-code-373.jsonl.zst, 0.08, 0.03, NaN",
    "azure/AzureLLMInferenceTrace_code.csv, 0.1, NaN, NaN",
  })
  void tracesAreLikeThoseThatTheyAreMadeLike(
      String name, double marginal, double hits, double workingSet) {
    Path data = Path.of(System.getProperty("orrery.data", "no-such-folder"), "traces", name);
    assumeTrue(Files.exists(data), "skipped: needs traces/" + name + " (-Dorrery.data=DIR)");
    Trace original = TraceReaders.read(data);
    TraceProfile profile = ProfileFit.of(original, name);
    boolean clock = profile.arrivals() != null;
    Path file = folder.resolve("made.parquet");
    new ProfileSynthesizer(profile, 1, clock ? SyntheticArrivals.like(profile) : null)
        .write(file, clock ? Integer.MAX_VALUE : 373, original.requestCount() * (clock ? 1 : 2));

    FitQuality quality = FitQuality.of(original, TraceReaders.read(file));

    Map<String, Double> distances =
        quality.marginals().stream()
            .collect(Collectors.toMap(FitQuality.Marginal::key, FitQuality.Marginal::distance));
    distances.remove("requests_in_a_minute");
    if (!clock) {
      assertThat(distances.remove("session_s")).isLessThan(0.12);
    }
    assertThat(distances.values()).allSatisfy(d -> assertThat(d).isLessThan(marginal));
    if (!Double.isNaN(hits)) {
      assertThat(quality.meanHitDistance()).isLessThan(hits);
      assertThat(quality.placedDistance()).isLessThan(1.5 * hits);
    }
    if (!Double.isNaN(workingSet)) {
      assertThat(quality.workingSetDistance()).isLessThan(workingSet);
    }
  }
}

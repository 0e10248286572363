package io.orrery.reports.traces;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.traces.Trace;
import io.orrery.traces.TraceBuilder;
import io.orrery.traces.analysis.TraceAnalysis;
import org.junit.jupiter.api.Test;

class TraceSentencesTest {
  /** Ten requests with the same two blocks, and ninety of the same length without hashes. */
  private static TraceSummary summary(int without) {
    TraceBuilder builder = Trace.builder(512);
    for (int i = 0; i < 10 + without; i++) {
      builder.session("s" + i).request("r" + i).input(1_024).output(5).arrival(i * 1_000_000L);
      if (i < 10) {
        builder.blocks(1, 2);
      }
    }
    return TraceSummary.of(TraceAnalysis.of(builder.build()));
  }

  @Test
  void whereAllIsKnownSharesAreOfTheInput() {
    assertThat(TraceSentences.reuse(summary(0)))
        .isEqualTo(
            "10,240 input and 50.0 output tokens; 90.0 % of the input was sent before, 0.0 % by the"
                + " same session. On 8 workers where a request goes decides over a tenth of its"
                + " prompt or more for 90.0 % of the requests.");
    assertThat(TraceStatsJson.of(summary(0), null)).doesNotContain("unidentified");
  }

  @Test
  void whereAPartIsUnknownThatIsSaidAndSharesAreOfTheRest() {
    assertThat(TraceSentences.reuse(summary(90)))
        .isEqualTo(
            "102,400 input and 500 output tokens; 90.0 % of the input has no identity: whether it"
                + " was sent before is unknown. Of the rest, as in all shares below, 90.0 % was"
                + " sent before, 0.0 % by the same session. On 8 workers where a request goes"
                + " decides over a tenth of its prompt or more for 90.0 % of the requests that are"
                + " known.");
    assertThat(TraceStatsJson.of(summary(90), null))
        .contains("\"unidentified_share\": 0.9,")
        .contains("\"share\": 0.9,");
  }
}

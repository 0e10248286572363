package io.orrery.traces.synthesis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.orrery.traces.EdgeTrigger;
import io.orrery.traces.Trace;
import org.junit.jupiter.api.Test;

class ChatTraceSynthesizerTest {
  private static final int REQUESTS = 50_000;
  private final Trace trace = AgentTraceSynthesizer.trace(1, REQUESTS);

  @Test
  void has_as_many_requests_as_asked_for() {
    assertThat(trace.requestCount()).isEqualTo(REQUESTS);
    assertThat(AgentTraceSynthesizer.trace(1, 1).requestCount()).isEqualTo(1);
    assertThatThrownBy(() -> AgentTraceSynthesizer.trace(1, 0))
        .hasMessage("requests: found 0, expected at least 1");
  }

  /** 3.3 sessions a second with five to six requests each; the longest take half an hour. */
  @Test
  void arrives_at_a_steady_rate() {
    int early = 0;
    int late = 0;
    for (int r = 0; r < REQUESTS; r++) {
      long second = trace.arrivalNanos(r) / 1_000_000_000;
      early += second >= 1200 && second < 1500 ? 1 : 0;
      late += second >= 2100 && second < 2400 ? 1 : 0;
    }
    assertThat(early / 300.0).isEqualTo(16, within(3.0));
    assertThat(late / 300.0).isEqualTo(16, within(3.0));
  }

  @Test
  void has_prompts_of_some_thousand_tokens() {
    long input = 0;
    long output = 0;
    for (int r = 0; r < REQUESTS; r++) {
      assertThat(trace.inputTokens(r)).isBetween(1040, 16_384);
      assertThat(trace.identifiedBlocks(r)).isEqualTo(trace.inputTokens(r) / 256);
      input += trace.inputTokens(r);
      output += trace.outputTokens(r);
    }
    assertThat((double) input / REQUESTS).isEqualTo(4900, within(300.0));
    assertThat((double) output / REQUESTS).isEqualTo(189, within(5.0));
    // a request brings about 190 tokens of answer and 500 of its own: 2.7 blocks
    assertThat((double) trace.blockCount() / REQUESTS).isEqualTo(2.7, within(0.2));
  }

  @Test
  void a_turn_waits_for_the_one_before_and_contains_its_answer() {
    for (int r = 0; r < REQUESTS; r++) {
      if (trace.turn(r) == 0) {
        assertThat(trace.edgeEnd(r)).isEqualTo(trace.edgeStart(r));
        continue;
      }
      int before = trace.request(trace.session(r), trace.turn(r) - 1);
      int edge = trace.edgeStart(r);
      assertThat(trace.edgeFrom(edge)).isEqualTo(before);
      assertThat(trace.edgeTrigger(edge)).isEqualTo(EdgeTrigger.COMPLETION);
      // half a second and 20 ms a token from the recorded start to the recorded end
      long end = trace.arrivalNanos(before) + (500 + 20L * trace.outputTokens(before)) * 1_000_000;
      assertThat(trace.arrivalNanos(r)).isEqualTo(end + trace.edgeDelayNanos(edge));
      assertThat(trace.inputTokens(r))
          .isGreaterThan(trace.inputTokens(before) + trace.outputTokens(before));
      assertThat(trace.namedBlocks(before)).isLessThanOrEqualTo(trace.identifiedBlocks(r));
    }
  }

  @Test
  void sessions_share_eight_system_prompts_of_four_blocks() {
    boolean[] starts = new boolean[(int) trace.blockCount()];
    int different = 0;
    for (int s = 0; s < trace.sessionCount(); s++) {
      int first = trace.runFirst(trace.runStart(trace.firstRequest(s)));
      assertThat(trace.runLength(trace.runStart(trace.firstRequest(s)))).isGreaterThanOrEqualTo(4);
      different += starts[first] ? 0 : 1;
      starts[first] = true;
    }
    assertThat(different).isEqualTo(8);
  }

  @Test
  void the_same_seed_gives_the_same_trace() {
    Trace same = AgentTraceSynthesizer.trace(1, 1000);
    Trace other = AgentTraceSynthesizer.trace(2, 1000);
    int differing = 0;
    Trace once = AgentTraceSynthesizer.trace(1, 1000);
    for (int r = 0; r < 1000; r++) {
      assertThat(once.requestId(r)).isEqualTo(same.requestId(r));
      assertThat(once.arrivalNanos(r)).isEqualTo(same.arrivalNanos(r));
      assertThat(once.inputTokens(r)).isEqualTo(same.inputTokens(r));
      assertThat(once.outputTokens(r)).isEqualTo(same.outputTokens(r));
      differing += other.inputTokens(r) == same.inputTokens(r) ? 0 : 1;
    }
    assertThat(differing).isGreaterThan(900);
  }
}

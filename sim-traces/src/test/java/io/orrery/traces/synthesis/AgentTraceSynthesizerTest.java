package io.orrery.traces.synthesis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class AgentTraceSynthesizerTest {
  private static final AgentTraceOptions OPTIONS = AgentTraceOptions.wholeSessions(1, 500);

  /** Sessions of the corpus have windows up to a million tokens: nothing is cut here. */
  @Test
  void whole_sessions_have_the_statistics_of_the_corpus() {
    SessionMeasurements measured = CorpusComparison.withoutLimit();
    List<String> deviations =
        CorpusComparison.ROWS.stream()
            .filter(row -> !row.holds(measured))
            .map(row -> row.deviation(measured))
            .toList();
    assertThat(deviations).isEmpty();
    assertThat(measured.subAgentRequests.quantile(0)).isGreaterThanOrEqualTo(2);
    assertThat(measured.subAgentRequests.quantile(1)).isLessThanOrEqualTo(24);
  }

  @Test
  void prompt_and_output_stay_within_the_context_limit() {
    SessionMeasurements wide = SessionMeasurements.of(OPTIONS);
    assertThat(wide.longestRequest).isBetween(190_000, 196_608);

    SessionMeasurements narrow = SessionMeasurements.of(OPTIONS.withContextLimit(65_536));
    assertThat(narrow.longestRequest).isLessThanOrEqualTo(65_536);
    // smaller windows are full sooner
    assertThat(narrow.shrinks).isGreaterThan(2 * wide.shrinks);
  }

  /** In the part of the corpus that was looked at, 90 % of the prompts contain the last answer. */
  @Test
  void most_prompts_are_long_enough_to_contain_the_answer_before() {
    SessionMeasurements measured = SessionMeasurements.of(OPTIONS);
    assertThat((double) measured.outputsInNextPrompt / measured.steps).isBetween(0.8, 0.95);
  }

  @Test
  void a_context_keeps_its_blocks_as_it_grows_and_its_common_prefix_when_rewritten() {
    AgentTraceSynthesizer synthesizer = new AgentTraceSynthesizer(OPTIONS);
    int rewritten = 0;
    for (int s = 0; s < 200; s++) {
      AgentSession session = synthesizer.session(s);
      int common = session.prefix().tokens() / 64;
      for (int i = 1; i < session.calls().size(); i++) {
        AgentCall before = session.calls().get(i - 1);
        AgentCall call = session.calls().get(i);
        int kept = call.blocks().commonWith(before.blocks());
        assertThat(call.blocks().count()).isEqualTo(call.inputTokens() / 64);
        if (kept == before.blocks().count()) {
          assertThat(call.inputTokens()).isGreaterThan(64 * kept);
        } else {
          assertThat(kept).isEqualTo(common);
          rewritten++;
        }
      }
    }
    assertThat(rewritten).isPositive();
  }

  @Test
  void a_session_does_not_depend_on_the_others() {
    AgentTraceSynthesizer few = new AgentTraceSynthesizer(AgentTraceOptions.wholeSessions(1, 10));
    AgentTraceSynthesizer many = new AgentTraceSynthesizer(OPTIONS);
    many.session(3);
    List<AgentCall> calls = many.session(7).calls();
    List<AgentCall> same = few.session(7).calls();
    assertThat(calls).usingRecursiveComparison().isEqualTo(same);
    AgentTraceOptions otherSeed = AgentTraceOptions.wholeSessions(2, 10);
    assertThat(new AgentTraceSynthesizer(otherSeed).session(7).calls())
        .usingRecursiveComparison()
        .isNotEqualTo(same);
  }

  @Test
  void stretches_are_short_and_without_long_breaks() {
    AgentTraceSynthesizer synthesizer =
        new AgentTraceSynthesizer(OPTIONS.withStretches(12, Duration.ofMinutes(2)));
    int full = 0;
    for (int s = 0; s < 200; s++) {
      AgentSession session = synthesizer.session(s);
      assertThat(session.calls()).hasSizeBetween(1, 12);
      full += session.calls().size() == 12 ? 1 : 0;
      assertThat(session.calls().get(0).waitMillis()).isZero();
      if (session.subAgents().isEmpty()) {
        assertThat(session.calls()).allMatch(call -> call.waitMillis() <= 120_000);
      }
    }
    assertThat(full).isGreaterThan(50);
  }

  @Test
  void a_request_after_blocking_sub_agents_waits_for_all_of_them() {
    AgentTraceSynthesizer synthesizer = new AgentTraceSynthesizer(OPTIONS);
    int blocking = 0;
    for (int s = 0; s < 500; s++) {
      AgentSession session = synthesizer.session(s);
      for (SubAgent child : session.subAgents()) {
        assertThat(session.calls().get(child.launcher()).endsTurn()).isFalse();
        if (!child.background()) {
          long wait = session.calls().get(child.launcher() + 1).waitMillis();
          assertThat(wait).isGreaterThan(child.launchMillis() + child.durationMillis());
          blocking++;
        }
      }
    }
    assertThat(blocking).isPositive();
  }

  @Test
  void equal_options_give_equal_bytes() throws IOException {
    AgentTraceOptions options = AgentTraceOptions.wholeSessions(3, 20);
    assertThat(lines(options)).isEqualTo(lines(options)).hasSizeGreaterThan(100_000);
  }

  @Test
  void options_say_what_is_wrong_with_them() {
    assertThatThrownBy(() -> OPTIONS.withContextLimit(1000))
        .hasMessage("contextLimit: found 1000, expected 65536 to 1048576");
    assertThatThrownBy(() -> OPTIONS.withBlockSize(100))
        .hasMessage("blockSize: found 100, expected a multiple of 64");
    assertThatThrownBy(() -> OPTIONS.withStretches(0, Duration.ZERO))
        .hasMessage("longestStretch: found 0, expected at least 1");
  }

  private static byte[] lines(AgentTraceOptions options) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    new AgentTraceSynthesizer(options).writeWeka(out);
    return out.toByteArray();
  }
}

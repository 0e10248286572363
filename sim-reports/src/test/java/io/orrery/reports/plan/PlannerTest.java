package io.orrery.reports.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.reports.page.ReportJson;
import io.orrery.reports.sweep.SweepJournal;
import io.orrery.scenarios.CommandLineSettings;
import io.orrery.scenarios.ScenarioLoader;
import io.orrery.scenarios.experiment.RunPreparation;
import io.orrery.scenarios.plan.PlanReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlannerTest {
  private static final String BASE =
      """
      trace: {files: t.jsonl, blockSize: 64, lanes: {count: 1}}
      engine: {blockSize: 64}
      """;

  @TempDir Path folder;

  /**
   * The first session asks one long thing and then thinks for an hour; the other 39 ask short
   * things one after the other. A lane alone sees nothing but the long one, and more lanes see one
   * long in 157, which the 95th percentile does not know.
   */
  @BeforeEach
  void writeTrace() throws IOException {
    StringBuilder text = new StringBuilder();
    line(text, 0, 0, 300, 0);
    line(text, 0, 1, 301, 3_600_000);
    for (int session = 1; session < 40; session++) {
      for (int turn = 0; turn < 4; turn++) {
        line(text, session, turn, 2 + turn, 20);
      }
    }
    Files.writeString(folder.resolve("t.jsonl"), text);
  }

  private static void line(StringBuilder text, int session, int turn, int blocks, int delay) {
    text.append("{\"session_id\": \"s").append(session).append("\", ");
    text.append(turn == 0 ? "\"timestamp\": " + session : "\"delay\": " + delay);
    text.append(", \"input_length\": ").append(64 * blocks);
    text.append(", \"output_length\": 9, \"hash_ids\": [");
    for (int block = 0; block < blocks; block++) {
      text.append(block == 0 ? "" : ", ").append(1000 * session + block);
    }
    text.append("]}\n");
  }

  private PlanResult answer(String plan, int threads) throws IOException {
    Path file = Files.createTempFile(folder, "journal", ".jsonl");
    try (SweepJournal journal = SweepJournal.open(file)) {
      return new Planner(
              PlanReader.read(
                  ScenarioLoader.layersOf(
                      BASE + plan, "s.yaml", folder, CommandLineSettings.none()),
                  null),
              new RunPreparation(),
              journal,
              "1",
              trial -> {})
          .answer(threads);
    }
  }

  @Test
  void oneSessionMayFareWorseThanManyAndThatIsSaid() throws IOException {
    PlanResult result =
        answer("plan: {slo: {ttftP95: 100 ms}, window: 5 s, sizes: {to: 64}, seeds: 1}\n", 2);
    assertThat(result.holds()).isTrue();
    CandidateResult best = result.ranked().get(0);
    assertThat(best.answer().getAsLong()).isGreaterThanOrEqualTo(2);
    assertThat(result.violations())
        .contains("s holds at " + best.answer().getAsLong() + " but not at 1 (seed 1)");
    assertThat(PlanText.of(result).replace("\n", " "))
        .contains("Not monotonic: s holds at ")
        .contains("where the search found the end of those that hold.");
  }

  @Test
  void theSameWithAnyNumberOfThreads() throws IOException {
    String plan =
        """
        plan:
          slo: {ttftP95: 40 ms, tokensPerSecondPerUser: 100}
          window: 5 s
          sizes: {to: 512}
          candidates: {grid: {routing.policy: [random, session-affinity, least-loaded]}}
        """;
    String one = everything(answer(plan, 1));
    assertThat(everything(answer(plan, 2))).isEqualTo(one);
    assertThat(everything(answer(plan, 7))).isEqualTo(one);
  }

  private static String everything(PlanResult result) {
    return PlanText.of(result)
        + PlanDocument.of(result, "1")
        + ReportJson.of(PlanReport.of(result, "1"));
  }

  /** Sessions that take an hour cannot complete in one second, on however many GPUs. */
  @Test
  void sessionsHaveToCompleteInTimeWhereThatIsPromised() throws IOException {
    PlanResult result =
        answer(
            "plan: {slo: {ttftP95: 10 s, tokensPerSecondPerUser: 1, sessionCompletionP95: 1 ms},"
                + " window: 5 s, sizes: {to: 8}, seeds: 1}\n",
            2);
    assertThat(result.holds()).isFalse();
    assertThat(PlanText.of(result).replace("\n", " "))
        .contains("No candidate holds", "session completion p95 ≤ 1.00 ms", "nearest is s with ");
  }
}

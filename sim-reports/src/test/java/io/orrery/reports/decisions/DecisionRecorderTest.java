package io.orrery.reports.decisions;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.engine.record.RunResult;
import io.orrery.reports.summary.Runs;
import io.orrery.traces.Trace;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;

/** One request a second, on one worker. */
class DecisionRecorderTest {
  private record Heard(List<String> requests, OptionalLong fullAtNanos, RunResult result) {}

  private static Heard decisions(IntPredicate wanted, long mostCandidates) {
    Trace trace = Runs.oneASecond(12);
    List<String> requests = new ArrayList<>();
    DecisionRecorder recorder =
        new DecisionRecorder(trace, 4, wanted, mostCandidates, row -> requests.add(row.request()));
    RunResult result = Runs.heard(trace, recorder);
    recorder.close();
    return new Heard(requests, recorder.fullAtNanos(), result);
  }

  /** The sixth decision, taken with the sixth arrival after 5 s, is the first that is too many. */
  @Test
  void decisionsAreHandedOnUpToALimit() {
    Heard heard = decisions(request -> true, 5);

    assertThat(heard.requests()).containsExactly("r0", "r1", "r2", "r3", "r4");
    assertThat(heard.fullAtNanos()).hasValue(5_000_000_000L);
    assertThat(heard.result().regretNanos().count()).as("all are judged").isEqualTo(12);
  }

  @Test
  void whatIsNotWantedDoesNotCount() {
    Heard heard = decisions(request -> request % 3 == 0, 4);

    assertThat(heard.requests()).containsExactly("r0", "r3", "r6", "r9");
    assertThat(heard.fullAtNanos()).isEmpty();
  }
}

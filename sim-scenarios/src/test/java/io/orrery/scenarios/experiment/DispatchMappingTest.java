package io.orrery.scenarios.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.engine.DispatchSettings;
import io.orrery.engine.DispatchSettings.Arrivals;
import io.orrery.engine.RequestState;
import io.orrery.engine.record.RunResult;
import io.orrery.scenarios.text.ScenarioException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which requests are sent when, and what the trace has to say for it. */
class DispatchMappingTest {
  @TempDir Path folder;

  private SmallExperiments experiments;

  @BeforeEach
  void writeTraces() throws IOException {
    experiments = new SmallExperiments(folder);
  }

  @Test
  void dispatchFollowsTheTracesClock() {
    Experiment clock = experiments.clock();
    assertThat(clock.runs().get(0).settings().dispatch())
        .isEqualTo(new DispatchSettings.ClosedLoop(new Arrivals.Recorded()));
    assertThat(clock.assumptions()).anyMatch(text -> text.contains("Dispatch is closed-loop"));

    Experiment own = experiments.own("cluster.pools[0].workers=3");
    assertThat(own.runs().get(0).settings().dispatch())
        .isEqualTo(new DispatchSettings.Lanes(24, false, false));
    assertThat(own.assumptions())
        .anyMatch(text -> text.contains("Dispatch is by lanes"))
        .anyMatch(text -> text.contains("24 lanes"))
        .contains("Only 2 of 24 lanes are in use: the trace has no more sessions.");
  }

  @Test
  void recordedStartsMayBeSpread() {
    Experiment closed = experiments.clock("trace.closedLoop.arrivals.jitter=3s");
    assertThat(closed.runs().get(0).settings().dispatch())
        .isEqualTo(new DispatchSettings.ClosedLoop(new Arrivals.Recorded(3_000_000_000L)));
    assertThat(closed.assumptions())
        .contains(
            "Recorded starts are moved later by up to 3 s, drawn (trace.closedLoop.arrivals.jitter).");

    Experiment open =
        experiments.clock("trace.dispatch=timestamps", "trace.timestamps.jitter=250ms");
    assertThat(open.runs().get(0).settings().dispatch())
        .isEqualTo(new DispatchSettings.Timestamps(1, 250_000_000));

    assertThat(experiments.clock("trace.timestamps.jitter=250ms").assumptions())
        .contains("trace.timestamps.jitter has no effect, since dispatch is closed-loop.");
  }

  @Test
  void lanesMayStopAndStartOver() {
    Experiment experiment =
        experiments.own("trace.lanes.count=1", "trace.lanes.recycle=true", "trace.lanes.limit=5");

    assertThat(experiment.runs().get(0).settings().dispatch())
        .isEqualTo(new DispatchSettings.Lanes(1, true, false, 5));
    assertThat(experiment.expectedRequests()).isEqualTo(5);
    RunResult result = experiment.runs().get(0).simulate(ended -> {});
    long finished = 0;
    for (int row = 0; row < result.columns().rows(); row++) {
      finished += result.columns().state(row) == RequestState.FINISHED ? 1 : 0;
    }
    assertThat(finished).isEqualTo(5);
  }

  @Test
  void arrivalsOfAProcessNeedNoSharedClock() {
    Experiment experiment =
        experiments.own(
            "trace.dispatch=closed-loop",
            "trace.closedLoop.arrivals.process=gamma",
            "trace.closedLoop.arrivals.rate=5",
            "trace.closedLoop.arrivals.cv=2");

    assertThat(experiment.runs().get(0).settings().dispatch())
        .isEqualTo(new DispatchSettings.ClosedLoop(new Arrivals.Process(5, 2)));
  }

  @Test
  void recordedTimesOfDifferentSessionsNeedASharedClock() {
    for (String dispatch : List.of("timestamps", "closed-loop")) {
      assertThatThrownBy(() -> experiments.own("trace.dispatch=" + dispatch))
          .isInstanceOf(ScenarioException.class)
          .hasMessage(
              "--set: trace.dispatch: found "
                  + dispatch
                  + ", expected lanes, or closed-loop with a process for the arrivals"
                  + " (trace.closedLoop.arrivals.process and rate), since the sessions of this trace"
                  + " share no clock");
    }
  }

  @Test
  void settingsOfAnotherDispatchRuleAreNotPassedOverInSilence() {
    assertThat(experiments.clock("trace.lanes.count=3").assumptions())
        .contains("trace.lanes.count has no effect, since dispatch is closed-loop.");
  }
}

package io.orrery.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.engine.DispatchSettings.Timestamps;
import io.orrery.engine.record.Decision;
import io.orrery.engine.record.Recorder;
import io.orrery.engine.routing.RoutingPolicies;
import io.orrery.models.StepShape;
import io.orrery.models.StepTimeModel;
import io.orrery.traces.BlockView;
import io.orrery.traces.Trace;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The first token that a decision expects of a worker counts all that was placed there before. */
class FirstTokenEstimateTest {
  /** A microsecond for a prompt token, a millisecond for a step; host time as given. */
  private record Simple(long hostNanos) implements StepTimeModel {
    @Override
    public String name() {
      return "simple";
    }

    @Override
    public long stepNanos(StepShape shape) {
      return 1_000_000 + 1_000L * shape.prefillNewSum;
    }

    @Override
    public long requestNanos(int promptTokens) {
      return hostNanos;
    }
  }

  private static List<Decision> decisions(Trace trace, int workers, long hostNanos) {
    SimulationSettings settings =
        new SimulationSettings(
            new Timestamps(1),
            List.of(
                new PoolSettings(
                    "main", workers, 1, Runs.scheduler(64, 1000, false), new Simple(hostNanos))),
            RoutingPolicies.named("round-robin"),
            new TreeMap<>(),
            1,
            RouterSettings.IDEAL,
            Long.MAX_VALUE,
            1);
    List<Decision> heard = new ArrayList<>();
    Recorder recorder =
        new Recorder() {
          @Override
          public boolean hearsDecisions() {
            return true;
          }

          @Override
          public void decided(Decision decision) {
            heard.add(decision);
          }
        };
    new Simulation(trace, BlockView.of(trace, 64), settings).run(recorder, ended -> {});
    return heard;
  }

  /** 4,000 tokens and 100 in one step, behind half a millisecond of host time: 5.6 ms, not 1.6. */
  @Test
  void aPromptThatTheHostStillHasStandsBeforeTheNext() {
    Trace trace =
        Trace.builder(64)
            .session("a")
            .request("a1")
            .input(4_000)
            .output(2)
            .arrival(0)
            .session("b")
            .request("b1")
            .input(100)
            .output(2)
            .arrival(1_000)
            .build();
    Decision second = decisions(trace, 2, 500_000).get(1);
    assertThat(second.firstTokenNanos()).containsExactly(5_600_000, 1_600_000);
  }

  /**
   * While a step of 8,000 tokens runs, a session's second turn waits, of whose 192 tokens the
   * worker holds 128. Who comes next waits for 64 tokens, not for 192: 1 ms + 164 tokens.
   */
  @Test
  void aWaitingPromptFindsWhatTheWorkerHeldWhenItCame() {
    Trace trace =
        Trace.builder(64)
            .session("a")
            .request("a1")
            .input(128)
            .output(1)
            .blocks(1, 2)
            .arrival(0)
            .session("long")
            .request("long1")
            .input(8_000)
            .output(2)
            .arrival(2_000_000)
            .session("again")
            .request("again1")
            .input(192)
            .output(1)
            .blocks(1, 2, 3)
            .arrival(2_100_000)
            .session("next")
            .request("next1")
            .input(100)
            .output(1)
            .arrival(2_200_000)
            .build();
    Decision last = decisions(trace, 1, 0).get(3);
    assertThat(last.firstTokenNanos()).containsExactly(1_000_000 + 164_000);
  }
}

package io.orrery.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.engine.record.RunResult;
import io.orrery.engine.scheduler.SchedulerSettings;
import io.orrery.models.StepShape;
import io.orrery.models.StepTimeModel;
import io.orrery.traces.Trace;
import org.junit.jupiter.api.Test;

/** Runs that would never end are stopped with the name of a request. */
class LivelockTest {
  private static final class Millisecond implements StepTimeModel {
    @Override
    public String name() {
      return "1 ms a step";
    }

    @Override
    public long stepNanos(StepShape shape) {
      return shape.prefillCount + shape.decodeCount == 0 ? 0 : 1_000_000;
    }
  }

  private static Trace twoTogether(int input, int output, long secondAt) {
    return Trace.builder(4)
        .session("a")
        .request("first")
        .input(input)
        .output(output)
        .arrival(0)
        .session("b")
        .request("second")
        .input(input)
        .output(output)
        .arrival(secondAt)
        .build();
  }

  /**
   * Five usable blocks of 4 tokens, prompts of 7 tokens in chunks of 4, no prefix cache, priority
   * scheduling.
   */
  private static void run(Trace trace) {
    SchedulerSettings scheduler =
        new SchedulerSettings(
            4, 6, 8, 16, 1 << 20, 4, false, true, true, false, false, 0, true, false);
    RunResult result =
        Runs.run(
            trace,
            new DispatchSettings.Timestamps(1),
            1,
            scheduler,
            new Millisecond(),
            "round-robin");
    for (int row = 0; row < 2; row++) {
      assertThat(result.columns().state(row)).isEqualTo(RequestState.FINISHED);
    }
  }

  /**
   * Both need 5 blocks in the end. Of running requests with equal priority and arrival vLLM
   * preempts the first in its list, which is the one that was there before the other came back.
   */
  @Test
  void requestsOfOnePriorityThatArriveTogetherPreemptEachOtherForEver() {
    assertThatThrownBy(() -> run(twoTogether(7, 11, 0)))
        .isInstanceOf(NoProgressException.class)
        .hasMessageMatching(
            "request (first|second) on worker 0 was preempted 200000 times without getting a token,"
                + " at \\d+ ns: .*engine.schedulingPolicy fcfs");
  }

  /** A nanosecond apart, the later one waits. */
  @Test
  void requestsThatArriveOneAfterTheOtherDoNot() {
    run(twoTogether(7, 11, 1));
  }
}

package io.orrery.traces.synthesis;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.traces.EdgeTrigger;
import io.orrery.traces.Trace;
import io.orrery.traces.TraceBuilder;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Waits and calls of tools in the shape of sessions, where some of them are not known. */
class ShapeFitTest {
  private static final long SECOND = 1_000_000_000L;

  /**
   * Three turns, 10 s from start to start.
   *
   * @param wait s behind the completion; below 0 where only the starts are known
   */
  private static SessionKind kind(
      @Nullable String first, int wait, @Nullable String second, int wait2) {
    TraceBuilder builder = Trace.builder(16).session("s");
    turn(builder, 0, first);
    after(turn(builder, 1, second), 0, wait);
    after(turn(builder, 2, "stop"), 1, wait2);
    Trace trace = builder.build();
    return new ShapeFit(trace, false, List.of(new int[] {0, 1, 2}))
        .shape(new boolean[1])
        .kinds()
        .get(0);
  }

  private static TraceBuilder turn(TraceBuilder builder, int turn, @Nullable String reason) {
    return builder
        .request("r" + turn)
        .input(16 + turn)
        .output(1)
        .arrival(turn * 10 * SECOND)
        .recordedNames(null, reason, null);
  }

  private static void after(TraceBuilder builder, int before, int wait) {
    if (wait < 0) {
      builder.after("r" + before, EdgeTrigger.DISPATCH, 10 * SECOND);
    }
    builder.after("r" + before, EdgeTrigger.COMPLETION, Math.max(0, wait) * SECOND);
  }

  @Test
  void knownWaitsAreThoseBehindCompletions() {
    SessionKind kind = kind("tool_calls", 3, "stop", 7);

    assertThat(kind.toolWait().at(0.5)).isEqualTo(3.0 * SECOND);
    assertThat(kind.otherWait().at(0.5)).isEqualTo(7.0 * SECOND);
    assertThat(kind.toolShare().at(0.5)).isEqualTo(0.5);
  }

  /** What follows the second turn is not known: neither the wait nor whether it called a tool. */
  @Test
  void whatIsNotKnownIsLeftOut() {
    SessionKind kind = kind("tool_calls", 3, null, -1);

    assertThat(kind.toolWait().at(0.5)).isEqualTo(3.0 * SECOND);
    assertThat(kind.otherWait()).isNull();
    assertThat(kind.toolShare().at(0.5)).isEqualTo(1);
  }

  @Test
  void whereNoWaitIsKnownTheTimesBetweenStartsAreTaken() {
    SessionKind kind = kind(null, -1, null, -1);

    assertThat(kind.otherWait().at(0.5)).isEqualTo(10.0 * SECOND);
    assertThat(kind.toolShare().at(0.5)).isZero();
  }
}

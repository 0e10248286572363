package io.orrery.traces.synthesis;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.traces.Trace;
import io.orrery.traces.TraceBuilder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;

class KindsOfSessionsTest {
  /** First prompts, of which some begin alike; how many turns follow is told apart. */
  private static KindsOfSessions kinds(int[] turns, IntPredicate alike) {
    TraceBuilder builder = Trace.builder(16);
    List<int[]> sessions = new ArrayList<>();
    for (int s = 0; s < turns.length; s++) {
      builder.session("s" + s).request("r" + s).input(32);
      builder.blocks(alike.test(s) ? 1 : 1_000 + s, 2_000 + s).arrival(s);
      sessions.add(new int[] {s});
    }
    return new KindsOfSessions(turns, new BeginningsFit(builder.build(), sessions));
  }

  /** 900 of one turn, 100 of 10 to 109: five eighths of the requests are in 50 of these. */
  @Test
  void equallyManyTurnsAreOneKindAndLongSessionsHaveSeveral() {
    int[] turns = new int[1_000];
    Arrays.setAll(turns, s -> s < 900 ? 1 : s - 890);
    KindsOfSessions kinds = kinds(turns, s -> false);

    assertThat(Arrays.stream(kinds.ofAll()).limit(900)).containsOnly(0);
    assertThat(kinds.count()).isBetween(6, 10);
    for (int s = 901; s < 1_000; s++) {
      assertThat(kinds.of(s)).isBetween(kinds.of(s - 1), kinds.of(s - 1) + 1);
      assertThat(kinds.beginning(kinds.of(s))).isEqualTo(-1);
    }
  }

  /**
   * An agent's prompt that a quarter of the sessions have makes them a kind, a rare one does not.
   */
  @Test
  void aWidespreadBeginningIsAKind() {
    int[] turns = new int[1_000];
    Arrays.fill(turns, 1);

    KindsOfSessions widespread = kinds(turns, s -> s % 4 == 0);
    assertThat(widespread.count()).isEqualTo(2);
    assertThat(widespread.beginning(widespread.of(4))).isZero();
    assertThat(widespread.of(8)).isEqualTo(widespread.of(4));
    assertThat(widespread.beginning(widespread.of(5))).isEqualTo(-1);
    assertThat(kinds(turns, s -> s % 100 == 0).count()).isEqualTo(1);
  }
}

package io.orrery.traces.synthesis;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.traces.Trace;
import io.orrery.traces.TraceBuilder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The tree of what first prompts begin with. */
class BeginningsFitTest {
  private static BeginningsFit fit(long[]... prompts) {
    TraceBuilder builder = Trace.builder(16);
    List<int[]> sessions = new ArrayList<>();
    for (int i = 0; i < prompts.length; i++) {
      builder.session("s" + i).request("r" + i).input(16 * prompts[i].length);
      builder.blocks(prompts[i]).arrival(i);
      sessions.add(new int[] {i});
    }
    return new BeginningsFit(builder.build(), sessions);
  }

  /** All begin with 1 2; two go on with 3 4 5, and two with 6; the last is alone. */
  @Test
  void promptsPartWhereTheyDiffer() {
    BeginningsFit fit =
        fit(
            new long[] {1, 2, 3, 4, 5, 10},
            new long[] {1, 2, 6, 11},
            new long[] {1, 2, 3, 4, 5},
            new long[] {1, 2, 6, 12},
            new long[] {1, 2, 13},
            new long[] {14, 15});

    assertThat(fit.beginnings())
        .containsExactly(
            new Beginning(-1, 2, 1 / 6.0),
            new Beginning(0, 3, 2 / 6.0),
            new Beginning(0, 1, 2 / 6.0));
    assertThat(fit.root(0)).isZero();
    assertThat(fit.root(5)).isEqualTo(-1);
  }

  /** What only one prompt has is no beginning, nor are prompts without a full block. */
  @Test
  void nothingIsSharedByOne() {
    assertThat(fit(new long[] {1, 2}, new long[] {3}, new long[] {4, 2}).beginnings()).isEmpty();
  }

  /** Three hundred pairs: the largest groups stay, and whoever had another one has none. */
  @Test
  void thereIsAMostOfThem() {
    long[][] prompts = new long[603][];
    for (int i = 0; i < prompts.length; i++) {
      prompts[i] = new long[] {i < 600 ? i / 2 : 1_000, 2_000 + i};
    }
    List<Beginning> beginnings = fit(prompts).beginnings();

    assertThat(beginnings).hasSize(256);
    assertThat(beginnings.get(255)).isEqualTo(new Beginning(-1, 1, 3 / 603.0));
  }
}

package io.orrery.reports.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SparklinesTest {
  @Test
  void heightsFollowTheValues() {
    assertThat(Sparklines.line(new double[] {0, 1, 2, 3, 4, 5, 6, 7, 8}, 8)).isEqualTo("▁▁▂▃▄▅▆▇█");
  }

  @Test
  void whatIsUnknownStaysBlank() {
    assertThat(Sparklines.line(new double[] {8, Double.NaN, 8}, 8)).isEqualTo("█ █");
  }

  @Test
  void allLinesHaveOneScale() {
    String text =
        Sparklines.ofTtft(
            List.of(
                new Sparklines.Level("slow", new double[] {1000, 2000}),
                new Sparklines.Level("quicker", new double[] {1000, Double.NaN})));

    assertThat(text)
        .isEqualTo("Mean TTFT from start to end, up to 2.00 s\n  slow     ▄█\n  quicker  ▄\n");
  }

  @Test
  void withoutATokenThereIsNothingToShow() {
    assertThat(Sparklines.ofTtft(List.of(new Sparklines.Level("none", new double[] {Double.NaN}))))
        .isEmpty();
  }
}

package io.orrery.reports.chart;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TicksTest {
  @Test
  void linearAxesBeginAtZeroAndHoldTheGreatestValue() {
    Ticks ticks = Ticks.of(Axis.linear("n", Axis.Unit.COUNT), 3, 87);
    assertThat(ticks.low()).isZero();
    assertThat(ticks.marks()).containsExactly(0.0, 20.0, 40.0, 60.0, 80.0, 100.0);
    assertThat(ticks.position(50)).isEqualTo(0.5);
  }

  @Test
  void sharesAreShownOfTheWhole() {
    Ticks ticks = Ticks.of(Axis.linear("share", Axis.Unit.SHARE), 0, 0.9);
    assertThat(ticks.high()).isEqualTo(1);
    assertThat(ticks.label(0.2)).isEqualTo("20 %");
  }

  @Test
  void logarithmicAxesGoFromPowerToPowerAndSaySo() {
    Ticks ticks = Ticks.of(Axis.log("TTFT", Axis.Unit.MILLIS), 12, 4_100);
    assertThat(ticks.marks()).containsExactly(10.0, 100.0, 1000.0, 10_000.0);
    assertThat(ticks.position(100))
        .isCloseTo(1.0 / 3, org.assertj.core.api.Assertions.within(1e-12));
    assertThat(ticks.label(1000)).isEqualTo("1 s");
    assertThat(ticks.axis().title()).isEqualTo("TTFT (log scale)");
  }

  /** "20 ms" says it at every mark; "5000" does not say of what. */
  @ParameterizedTest
  @EnumSource(Axis.Unit.class)
  void theTitleNamesTheUnitOnlyWhereMarksDoNot(Axis.Unit unit) {
    Ticks ticks = Ticks.of(Axis.linear("x", unit), 0, 5000);
    boolean amounts = ticks.label(5000).equals("5000");
    boolean named = amounts && unit != Axis.Unit.COUNT;
    assertThat(ticks.axis().title()).isEqualTo(named ? "x (" + unit.label() + ")" : "x");
    assertThat(Axis.log("x", unit).title())
        .isEqualTo(named ? "x (" + unit.label() + ", log scale)" : "x (log scale)");
  }

  @Test
  void theTitleRepeatsNoUnit() {
    assertThat(Axis.linear("tokens", Axis.Unit.TOKENS).title()).isEqualTo("tokens");
  }

  @Test
  void nothingAtAllStillHasAnAxis() {
    assertThat(Ticks.of(Axis.linear("n", Axis.Unit.COUNT), 0, 0).high()).isEqualTo(1);
    assertThat(Ticks.of(Axis.log("n", Axis.Unit.COUNT), 0, 0).marks()).containsExactly(1.0, 10.0);
  }
}

package io.orrery.reports.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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

  @Test
  void timesAreMarkedInSecondsMinutesAndHours() {
    assertThat(labels(Axis.linear("t", Axis.Unit.SECONDS), 0, 100))
        .containsExactly("0 s", "20 s", "40 s", "60 s", "80 s", "100 s");
    assertThat(labels(Axis.linear("t", Axis.Unit.SECONDS), 0, 3_400))
        .containsExactly("0 min", "20 min", "40 min", "60 min");
    assertThat(labels(Axis.linear("t", Axis.Unit.SECONDS), 0, 20_000))
        .containsExactly("0 h", "2 h", "4 h", "6 h");
    assertThat(labels(Axis.linear("t", Axis.Unit.MILLIS), 0, 150_000))
        .containsExactly("0 min", "0.5 min", "1 min", "1.5 min", "2 min", "2.5 min");
    assertThat(labels(Axis.linear("t", Axis.Unit.MILLIS), 0, 900))
        .containsExactly("0 ms", "200 ms", "400 ms", "600 ms", "800 ms", "1 s");
  }

  /** An end that is rounded up may be of the next unit. */
  @ParameterizedTest
  @CsvSource({
    "1, 1 s",
    "99, 100 s",
    "101, 2 min",
    "119, 2 min",
    "121, 2.5 min",
    "3600, 60 min",
    "6900, 2 h",
    "7100, 2 h",
    "7201, 2.5 h",
    "1000000, 300 h"
  })
  void theUnitIsThatOfTheEnd(double most, String end) {
    for (Axis axis :
        List.of(Axis.linear("t", Axis.Unit.SECONDS), Axis.linear("t", Axis.Unit.MILLIS))) {
      List<String> labels = labels(axis, 0, axis.unit() == Axis.Unit.MILLIS ? most * 1000 : most);
      assertThat(labels.get(labels.size() - 1)).isEqualTo(end);
      assertThat(labels).allMatch(label -> label.length() <= 8);
    }
  }

  @Test
  void logarithmicTimesGoOnWithMinutesAndHours() {
    assertThat(labels(Axis.log("t", Axis.Unit.SECONDS), 0.3, 80_000))
        .containsExactly("0.1 s", "1 s", "10 s", "1 min", "10 min", "1 h", "10 h", "100 h");
    assertThat(labels(Axis.log("t", Axis.Unit.MILLIS), 70, 50_000))
        .containsExactly("10 ms", "100 ms", "1 s", "10 s", "1 min");
    assertThat(labels(Axis.log("t", Axis.Unit.SECONDS), 60, 60)).containsExactly("1 min", "10 min");
    assertThat(labels(Axis.log("t", Axis.Unit.SECONDS), 99, 3_601))
        .containsExactly("1 min", "10 min", "1 h", "10 h");
  }

  private static List<String> labels(Axis axis, double least, double most) {
    Ticks ticks = Ticks.of(axis, least, most);
    assertThat(ticks.low()).isLessThanOrEqualTo(least);
    assertThat(ticks.high()).isGreaterThanOrEqualTo(most);
    return ticks.marks().stream().map(ticks::label).toList();
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

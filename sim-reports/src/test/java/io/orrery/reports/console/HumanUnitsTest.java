package io.orrery.reports.console;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HumanUnitsTest {
  @Test
  void durations() {
    assertThat(HumanUnits.millis(0)).isEqualTo("0 ms");
    assertThat(HumanUnits.millis(0.4236)).isEqualTo("0.42 ms");
    assertThat(HumanUnits.millis(9.996)).isEqualTo("10.0 ms");
    assertThat(HumanUnits.millis(123.4)).isEqualTo("123 ms");
    assertThat(HumanUnits.millis(999.6)).isEqualTo("1.00 s");
    assertThat(HumanUnits.millis(4100)).isEqualTo("4.10 s");
    assertThat(HumanUnits.seconds(0.25)).isEqualTo("250 ms");
    assertThat(HumanUnits.seconds(119.4)).isEqualTo("119 s");
    assertThat(HumanUnits.seconds(120)).isEqualTo("2.00 min");
    assertThat(HumanUnits.seconds(2 * 3600)).isEqualTo("2.00 h");
  }

  @Test
  void amounts() {
    assertThat(HumanUnits.amount(0)).isEqualTo("0");
    assertThat(HumanUnits.amount(0.4236)).isEqualTo("0.42");
    assertThat(HumanUnits.amount(0.0523)).isEqualTo("0.05");
    assertThat(HumanUnits.amount(0.004674)).isEqualTo("0.0047");
    assertThat(HumanUnits.amount(-0.00012)).isEqualTo("-0.00012");
    assertThat(HumanUnits.amount(999.4)).isEqualTo("999");
    assertThat(HumanUnits.amount(350_208)).isEqualTo("350,208");
    assertThat(HumanUnits.amount(3_309_442_132.0)).isEqualTo("3.31 G");
    assertThat(HumanUnits.amount(1.5e12)).isEqualTo("1.50 T");
    assertThat(HumanUnits.count(12_031)).isEqualTo("12,031");
  }

  @Test
  void sharesAndChanges() {
    assertThat(HumanUnits.percent(0.5512)).isEqualTo("55.1 %");
    assertThat(HumanUnits.change(4.1, 0.62)).isEqualTo("−85 %");
    assertThat(HumanUnits.change(1, 1.12)).isEqualTo("+12 %");
  }
}

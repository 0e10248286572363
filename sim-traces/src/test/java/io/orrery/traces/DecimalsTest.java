package io.orrery.traces;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DecimalsTest {
  @ParameterizedTest
  @CsvSource({
    "0, 1000000000, 0",
    "61.114, 1000000000, 61114000000",
    "2347.4, 1000000, 2347400000",
    "0.1, 1000000000, 100000000",
    // a double would give 1777312800000.1001 ms
    "1777312800000.1, 1000000, 1777312800000100000",
    "122.28000000000002, 1000000000, 122280000000",
    "0.0000000005, 1000000000, 1",
    "0.0000000004999, 1000000000, 0",
    "1e3, 1000000, 1000000000",
    "1.5E-3, 1000000, 1500",
    "-2.5, 1000000000, -2500000000",
    "00.5, 1000, 500",
    "4611686018427387903, 1, 4611686018427387903",
    "0.123456789012345678901234567890, 1000000000, 123456789",
    "1e-400, 1000000000, 0",
    "0e999999999, 1000000000, 0",
    "0.00e99999999999, 1000000000, 0",
    "1e-99999999999, 1000000000, 0",
    // minutes, which are no power of ten
    "1.5, 60000000000, 90000000000",
    "0.06666666667, 60000000000, 4000000000",
    "0.066666666666667, 60000000000, 4000000000",
    "-0.00000000001, 60000000000, -1"
  })
  void isExactToTheNanosecond(String text, long unit, long nanos) {
    assertThat(nanos(text, unit)).isEqualTo(nanos);
  }

  @ParameterizedTest
  @CsvSource({
    "9300000000000000000",
    "1e40",
    "-1e40",
    "4611686019",
    "1e400",
    "1e99999999999",
    "-1E+99999999999",
    "99999999999999999999999999.5"
  })
  void saysWhatDoesNotFit(String text) {
    assertThat(nanos(text, 1_000_000_000)).isEqualTo(Decimals.OUT_OF_RANGE);
  }

  @Test
  void agreesWithBigDecimal() {
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < 200_000; i++) {
      String text =
          random.nextInt(1_000_000)
              + "."
              + Long.toString(random.nextLong(1_000_000_000_000_000L)).substring(0, 1)
              + random.nextLong(1L << random.nextInt(1, 50));
      long unit =
          new long[] {1, 1_000, 1_000_000, 1_000_000_000, 60_000_000_000L}[random.nextInt(5)];
      BigDecimal exact = new BigDecimal(text).multiply(BigDecimal.valueOf(unit));
      assertThat(nanos(text, unit))
          .as(text)
          .isEqualTo(exact.setScale(0, RoundingMode.HALF_UP).longValueExact());
    }
  }

  /** The number stands in the middle of a buffer, as a parser hands it over. */
  private static long nanos(String text, long unit) {
    return Decimals.nanos(("12" + text + "34").toCharArray(), 2, text.length(), unit);
  }
}

package io.orrery.scenarios.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuantityTest {

  @ParameterizedTest
  @CsvSource({
    "DURATION, 2 s, 2000000000",
    "DURATION, 2s, 2000000000",
    "DURATION, 500 ms, 500000000",
    "DURATION, 1.5 s, 1500000000",
    "DURATION, 0.1 us, 100",
    "DURATION, 3 µs, 3000",
    "DURATION, 90 min, 5400000000000",
    "DURATION, 1e3 ms, 1000000000",
    "DURATION, 0 s, 0",
    "DURATION, -1 s, -1000000000",
    "BYTES, 512 GiB, 549755813888",
    "BYTES, 512 GB, 512000000000",
    "BYTES, 0.5 KiB, 512",
    "BANDWIDTH, 64 GB/s, 64000000000",
    "BANDWIDTH, 400 Gbit/s, 50000000000",
  })
  void numbersWithUnitsConvertExactly(Quantity quantity, String text, long base) {
    assertThat(quantity.parse(text)).hasValue(base);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2",
        "s",
        "",
        " ",
        "2 sec",
        "2 S",
        "2 GiB",
        "2 s 3 ms",
        "NaN s",
        "Infinity s",
        "0.1 ns",
        "1e99 s",
        "9223372036854775808 ns",
        "1,5 s",
        "0x10 s",
        "--2 s",
        "010 s",
      })
  void anythingElseIsNoDuration(String text) {
    assertThat(Quantity.DURATION.parse(text)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"64 GB", "64 gb/s", "64 Gb/s", "64 GB /s"})
  void unitsAreCaseSensitiveAndComplete(String text) {
    assertThat(Quantity.BANDWIDTH.parse(text)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "DURATION, 0, 0 s",
    "DURATION, 1500000000, 1500 ms",
    "DURATION, 90000000000, 90 s",
    "DURATION, 120000000000, 2 min",
    "DURATION, 7200000000000, 2 h",
    "DURATION, 1, 1 ns",
    "BYTES, 549755813888, 512 GiB",
    "BYTES, 512000000000, 512 GB",
    "BYTES, 0, 0 B",
    "BANDWIDTH, 50000000000, 50 GB/s",
  })
  void theLargestUnitThatGivesAWholeNumberIsWritten(Quantity quantity, long base, String text) {
    assertThat(quantity.format(base)).isEqualTo(text);
  }

  @ParameterizedTest
  @EnumSource
  void everyAmountReadsBack(Quantity quantity) {
    Random random = new Random(1);
    for (int i = 0; i < 10_000; i++) {
      long base = random.nextLong() >>> random.nextInt(64);
      assertThat(quantity.parse(quantity.format(base))).hasValue(base);
    }
  }

  @Test
  void theExpectationNamesTheUnits() {
    assertThat(Quantity.DURATION.expected())
        .isEqualTo("a duration such as \"2 s\" (units: ns, us, ms, s, min, h)");
  }
}

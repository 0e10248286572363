package io.orrery.models;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * One value of the catalogue and where it comes from.
 *
 * @param value a BigDecimal, a String, a Boolean, or null where the thing has none
 * @param source who says so
 * @param lowConfidence whether the value is assumed or unverified
 * @param note a remark, empty for none
 * @param line where it stands in its file
 */
public record Fact(
    @Nullable Object value, String source, boolean lowConfidence, String note, int line) {

  /** The value as written in files: plain digits up to a million, powers of ten above. */
  public String text() {
    return value instanceof BigDecimal number
        ? number.abs().compareTo(BigDecimal.valueOf(1_000_000)) < 0
            ? number.stripTrailingZeros().toPlainString()
            : number.toString()
        : String.valueOf(value);
  }
}

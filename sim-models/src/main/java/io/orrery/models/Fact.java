package io.orrery.models;

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
record Fact(@Nullable Object value, String source, boolean lowConfidence, String note, int line) {}

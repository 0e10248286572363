package io.orrery.traces;

import org.jspecify.annotations.Nullable;

/**
 * What there is to be said about files.
 *
 * @param contents what is in them without the bad records; null where they make no trace at all
 * @param findings bad records and quirks
 */
public record TraceCheck(@Nullable Contents contents, TraceFindings findings) {
  /**
   * What is in files.
   *
   * @param format the format's name
   */
  public record Contents(String format, int requests, int sessions) {}
}

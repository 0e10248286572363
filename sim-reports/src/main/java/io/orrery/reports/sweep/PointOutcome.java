package io.orrery.reports.sweep;

import java.util.Optional;

/**
 * How a point of a sweep ended.
 *
 * @param index of the point
 * @param key of its finished run; empty text if it failed
 * @param result of its run; empty if it failed, or was finished before
 * @param failure why it failed; empty text if it did not
 */
public record PointOutcome(int index, String key, Optional<PointResult> result, String failure) {
  static PointOutcome simulated(int index, PointResult result) {
    return new PointOutcome(index, result.key(), Optional.of(result), "");
  }

  static PointOutcome known(int index, String key) {
    return new PointOutcome(index, key, Optional.empty(), "");
  }

  static PointOutcome failed(int index, String reason) {
    return new PointOutcome(index, "", Optional.empty(), reason);
  }

  /** Whether the point has no numbers. */
  public boolean isFailure() {
    return !failure.isEmpty();
  }

  /** Whether the point's numbers were there before. */
  public boolean wasKnown() {
    return !isFailure() && result.isEmpty();
  }
}

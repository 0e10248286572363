package io.orrery.reports.gates;

import java.util.OptionalDouble;

/**
 * A gate on one variant.
 *
 * @param gate the gate
 * @param expression the condition that decided: the broken one, else the strictest
 * @param variant whose run
 * @param outcome what came out
 * @param value the run's number
 * @param limit what it was compared with
 * @param baseline the baseline's number
 */
public record GateResult(
    Gate gate,
    GateExpression expression,
    String variant,
    Outcome outcome,
    OptionalDouble value,
    OptionalDouble limit,
    OptionalDouble baseline) {
  /** What came out of a gate, worst last. */
  public enum Outcome {
    PASSED,
    WARNED,
    FAILED,
    /** The run, or the baseline that the gate needs, has no such number: as bad as failed. */
    UNKNOWN
  }

  /** Whether the check fails by it. */
  public boolean failed() {
    return outcome == Outcome.FAILED || outcome == Outcome.UNKNOWN;
  }

  /** How far beyond its limit the number is, as a share of the limit; 0 if it keeps it. */
  public double excess() {
    if (outcome == Outcome.PASSED || value.isEmpty() || limit.isEmpty()) {
      return 0;
    }
    double size = Math.max(Math.abs(limit.getAsDouble()), 1e-12);
    return Math.abs(value.getAsDouble() - limit.getAsDouble()) / size;
  }
}

package io.orrery.scenarios.spec;

/**
 * How long a step lasts.
 *
 * @param model the step-time model's name
 * @param speedup what every step's time is divided by
 * @param decodeSpeedup what decode time is divided by as well
 * @param stepOverheadNanos host time of a step, in nanoseconds
 */
public record StepTimeSpec(
    String model, double speedup, double decodeSpeedup, long stepOverheadNanos) {}

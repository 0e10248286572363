package io.orrery.scenarios.spec;

import java.nio.file.Path;
import java.util.Optional;

/**
 * How long a step lasts.
 *
 * @param model the step-time model's name
 * @param kernels whose measured kernels a law stands for
 * @param experts how a law routes tokens to experts
 * @param perfData folder of measured tables
 * @param profile file of fitted constants
 * @param speedup what every step's time is divided by
 * @param decodeSpeedup what decode time is divided by as well
 * @param stepOverheadNanos host time of a step, in nanoseconds
 */
public record StepTimeSpec(
    String model,
    String kernels,
    String experts,
    Optional<Path> perfData,
    Optional<Path> profile,
    double speedup,
    double decodeSpeedup,
    long stepOverheadNanos) {}

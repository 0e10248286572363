package io.orrery.scenarios.plan;

import java.util.OptionalDouble;

/**
 * What has to hold.
 *
 * @param ttftP95Millis greatest p95 of the time to first token
 * @param tokensPerSecond least output tokens per second that 19 of 20 requests get after their
 *     first token
 * @param sessionP95Seconds greatest p95 of the sessions' completion time; empty to let it be
 */
public record PlanSlo(
    double ttftP95Millis, double tokensPerSecond, OptionalDouble sessionP95Seconds) {}

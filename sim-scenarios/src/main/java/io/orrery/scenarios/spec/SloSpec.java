package io.orrery.scenarios.spec;

/**
 * What users were promised.
 *
 * @param ttftNanos longest time to first token, in nanoseconds
 * @param tokensPerSecondPerUser least output tokens per second of a request after its first token
 */
public record SloSpec(long ttftNanos, double tokensPerSecondPerUser) {}

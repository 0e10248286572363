package io.orrery.reports.summary;

/**
 * What users were promised.
 *
 * @param ttftNanos longest time to first token
 * @param tokensPerSecond least output tokens per second of a request after its first token
 */
public record Slo(long ttftNanos, double tokensPerSecond) {}

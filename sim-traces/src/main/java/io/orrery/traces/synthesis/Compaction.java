package io.orrery.traces.synthesis;

/**
 * How contexts are cut down.
 *
 * @param limit tokens from which they are, where they have a limit
 * @param length tokens that are left
 * @param kept share of the blocks before that are
 */
public record Compaction(Knots limit, Knots length, Knots kept) {}

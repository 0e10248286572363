/**
 * Traces that nobody recorded: seeded sessions with the statistics of recorded ones.
 *
 * <p>What is known of a corpus (quantiles, shares) stands in a data file with its source; a
 * synthesizer draws from it. Every draw comes from a stream keyed by seed, purpose and session, and
 * logarithms and powers from {@code StrictMath}: one seed gives the same trace on any machine, in
 * any order of generation.
 */
@NullMarked
package io.orrery.traces.synthesis;

import org.jspecify.annotations.NullMarked;

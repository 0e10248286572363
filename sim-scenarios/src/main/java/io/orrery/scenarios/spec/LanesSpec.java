package io.orrery.scenarios.spec;

import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * Sessions alive at once.
 *
 * @param count lanes; empty is 8 for each worker
 * @param recycle whether the trace starts again when it runs out
 * @param randomStart whether each lane's first session starts at a random turn
 * @param limit sessions to start in all; empty is every session of the trace once (or, recycling,
 *     without end)
 */
public record LanesSpec(
    OptionalInt count, boolean recycle, boolean randomStart, OptionalLong limit) {}

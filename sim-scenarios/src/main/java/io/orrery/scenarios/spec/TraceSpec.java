package io.orrery.scenarios.spec;

/**
 * The requests, and when they are sent.
 *
 * @param source what to read
 * @param dispatch which of the following counts
 * @param timestampsSpeedup what recorded times are divided by, for {@link DispatchMode#TIMESTAMPS}
 * @param timestampsJitterNanos what they are moved later by at most, for the same; 0 for none
 * @param arrivals when root sessions start, for {@link DispatchMode#CLOSED_LOOP}
 * @param lanes sessions alive at once, for {@link DispatchMode#LANES}
 */
public record TraceSpec(
    TraceSource source,
    DispatchMode dispatch,
    double timestampsSpeedup,
    long timestampsJitterNanos,
    ArrivalsSpec arrivals,
    LanesSpec lanes) {}

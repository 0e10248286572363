package io.orrery.traces;

/**
 * The beginning of a trace.
 *
 * @param trace the requests that were read, in their order by start; at least as many as were asked
 *     for, where there are so many
 * @param whole whether these are all; else nothing is known about what follows
 */
public record TraceHead(Trace trace, boolean whole) {}

package io.orrery.traces;

/**
 * A trace and what was noticed while it was read.
 *
 * @param trace the trace
 * @param findings quirks, and the records that were kept aside
 */
public record TraceReading(Trace trace, TraceFindings findings) {}

package io.orrery.traces;

import org.jspecify.annotations.Nullable;

/**
 * What there is to be said about files.
 *
 * @param trace without the bad records; null where the files make no trace at all
 * @param findings bad records and quirks
 */
public record TraceCheck(@Nullable Trace trace, TraceFindings findings) {}

package io.orrery.traces;

import org.jspecify.annotations.Nullable;

/**
 * A request as a row of Orrery's own format; see its columns in {@code docs/traces.md}.
 *
 * @param session number of its session, from 0 in the order of their first rows
 * @param parent in the first row of a session: number of the session that started it, else −1
 * @param arrivalNanos recorded start, or NO_TIME
 * @param promptRuns how many of the runs are the prompt's
 * @param runs first block and length of each run, one after the other
 * @param waitFor rows that it waits for
 * @param afterDispatch for each of them, whether its dispatch is meant, else its completion
 * @param waitNanos ns from there to its start
 * @param totalNanos recorded time to the last token, or NO_TIME
 */
public record TraceRow(
    int session,
    int parent,
    long arrivalNanos,
    int inputTokens,
    int outputTokens,
    int promptBlocks,
    int promptRuns,
    int[] runs,
    int[] waitFor,
    boolean[] afterDispatch,
    long[] waitNanos,
    long totalNanos,
    @Nullable String finishReason) {}

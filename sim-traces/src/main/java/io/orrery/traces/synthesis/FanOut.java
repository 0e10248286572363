package io.orrery.traces.synthesis;

/**
 * The sessions that sessions start. Times are ns.
 *
 * @param launches how many requests of a session start others, where any does
 * @param width how many sessions one of them starts
 * @param startWait from that request's completion, or dispatch, to the first of theirs
 * @param fromDispatch share of them that do not wait for its completion
 * @param joined share of them that a later request waits for
 * @param session what they are like
 */
public record FanOut(
    Knots launches,
    Knots width,
    Knots startWait,
    double fromDispatch,
    double joined,
    SessionShape session) {}

package io.orrery.traces.synthesis;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the sessions of one kind are like. Times are ns.
 *
 * @param turns requests of a session
 * @param firstInput tokens of the first prompt
 * @param output tokens of an output
 * @param toolShare share of the turns after which a tool is called
 * @param toolWait from such a completion to the next turn; null where there is none
 * @param otherWait from any other completion; null where there is none
 * @param rewriteShare share of the later turns that do not keep their context
 * @param kept share of the blocks before that such a turn keeps; null where there is none
 * @param rewritten its length over the one before; null where there is none
 * @param grownShare of the other later turns, share of those that hold the output before
 * @param growth tokens beyond prompt and output before, of these; null where there is none
 * @param keptOutput tokens beyond the prompt before over the output before, of the others, at most
 *     1; null where there is none
 * @param total recorded time of a request; null where there is none
 * @param longest tokens of the longest prompt of a session, for sessions of few turns to those of
 *     many, in groups of equal size
 * @param waits how these groups wait; null in profiles that do not say it
 * @param growths how these groups' prompts grow; null in profiles that do not say it
 */
public record SessionShape(
    Knots turns,
    Knots firstInput,
    Knots output,
    double toolShare,
    @Nullable Knots toolWait,
    @Nullable Knots otherWait,
    double rewriteShare,
    @Nullable Knots kept,
    @Nullable Knots rewritten,
    double grownShare,
    @Nullable Knots growth,
    @Nullable Knots keptOutput,
    @Nullable Knots total,
    List<Knots> longest,
    @Nullable List<Pace> waits,
    @Nullable List<Pace> growths) {}

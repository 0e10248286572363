package io.orrery.traces.synthesis;

import org.jspecify.annotations.Nullable;

/**
 * Sessions that are alike in length and beginning.
 *
 * @param share of the sessions
 * @param beginning the node without a parent that their first prompts begin with; −1 for any that
 *     has no kind of its own, or none
 * @param turns requests of a session
 * @param firstInput tokens of the first prompt
 * @param output tokens of an output
 * @param toolShare for each session, share of the turns after which a tool is called; null where no
 *     session has a second turn
 * @param toolWait ns from a completion that called a tool to the next turn; null where there is
 *     none
 * @param otherWait ns from any other completion; null where there is none
 * @param rewriteShare share of the later turns that do not keep their context, nor compact it
 * @param grownShare of the turns that keep it, share of those that hold the output before
 * @param limitedShare share of the sessions whose contexts are compacted from a length on
 * @param longest tokens of the longest prompt
 * @param waits how these sessions differ in their waits
 * @param growths how they differ in what their prompts grow by
 * @param subAgentShare share of these sessions that start others
 */
public record SessionKind(
    double share,
    int beginning,
    Knots turns,
    Knots firstInput,
    Knots output,
    @Nullable Knots toolShare,
    @Nullable Knots toolWait,
    @Nullable Knots otherWait,
    double rewriteShare,
    double grownShare,
    double limitedShare,
    int longest,
    Pace waits,
    Pace growths,
    double subAgentShare) {}

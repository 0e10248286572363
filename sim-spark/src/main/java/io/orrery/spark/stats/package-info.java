/**
 * Statistics of a trace in Orrery's own format as Spark's jobs, the numbers of {@code trace stats}
 * exactly: the file's rows are read where there is room, session trees are gathered and told one by
 * one, blocks are told by ranges of their numbers, and quantiles are found by sorting. No process
 * holds more than a tree of sessions, or what touched one range of blocks.
 *
 * <p>What a tree is told by is what the local command tells a whole trace by. Of blocks it is the
 * same rule, piece by piece, since numbers of blocks are chained: whoever sent a block sent all
 * before it, so that a prompt's known blocks are its first ones, in whatever ranges they lie.
 */
@NullMarked
package io.orrery.spark.stats;

import org.jspecify.annotations.NullMarked;

/**
 * Apache Spark as an engine of work: the points of sweeps, the trials of plans and the cells of
 * fleets are tasks, and the statistics of traces in Orrery's own format a job.
 *
 * <p>What a task does is defined in {@code io.orrery.reports}; here is only how it gets there, how
 * its trace is read (once a process, from any Hadoop file system), and how its result comes back
 * (once, however often the task was tried). So the results are the local engine's, byte for byte.
 * Nothing depends on this module: the command finds it as a service on its class path.
 */
@NullMarked
package io.orrery.spark;

import org.jspecify.annotations.NullMarked;

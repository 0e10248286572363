/**
 * Work that other processes can do: what is sent there, what comes back, and the engines that send
 * it. The points of a sweep, the trials of a plan and the cells of a fleet are such work.
 */
@NullMarked
package io.orrery.reports.work;

import org.jspecify.annotations.NullMarked;

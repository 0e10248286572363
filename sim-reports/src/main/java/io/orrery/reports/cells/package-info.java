/**
 * Cells: a fleet's trace split by sessions into clusters that have nothing to do with one another,
 * each simulated by itself, and their numbers as one.
 */
@NullMarked
package io.orrery.reports.cells;

import org.jspecify.annotations.NullMarked;

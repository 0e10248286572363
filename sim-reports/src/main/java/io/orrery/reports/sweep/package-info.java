/**
 * What becomes of a sweep: {@link io.orrery.reports.sweep.SweepRunner} runs its points, {@link
 * io.orrery.reports.sweep.SweepJournal} keeps each as soon as it is finished, and {@link
 * io.orrery.reports.sweep.SweepResults} is read, point by point, by everything that is written: a
 * document, a table, a report.
 */
@NullMarked
package io.orrery.reports.sweep;

import org.jspecify.annotations.NullMarked;

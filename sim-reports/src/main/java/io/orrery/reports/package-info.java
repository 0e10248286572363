/**
 * Results for readers. {@link io.orrery.reports.summary.Metrics} makes a summary of a run; {@link
 * io.orrery.reports.RunDocument} is the JSON of an experiment, and {@code console} its table.
 *
 * <p>The same results give the same bytes, on any machine and Java version: numbers are decimal
 * with at most twelve digits, and nothing depends on the locale, the clock or the order of a hash.
 */
@NullMarked
package io.orrery.reports;

import org.jspecify.annotations.NullMarked;

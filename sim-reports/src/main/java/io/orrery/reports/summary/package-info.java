/**
 * The numbers of a run: each defined once, by a {@link io.orrery.reports.summary.Metric} with its
 * key, its meaning and which way is better, in the class of its {@link
 * io.orrery.reports.summary.MetricGroup}. {@code docs/metrics.md} is generated from these.
 *
 * <p>A metric without samples is absent from the summary, never 0.
 */
@NullMarked
package io.orrery.reports.summary;

import org.jspecify.annotations.NullMarked;

package io.orrery.reports.console;

import io.orrery.reports.summary.Metric;
import io.orrery.reports.summary.Summary;
import java.util.OptionalDouble;
import java.util.function.DoubleFunction;
import java.util.function.Function;

/**
 * A line of the table.
 *
 * @param label what it shows
 * @param value its number in a summary, empty where there is none
 * @param better which way is better
 * @param format how the number is written
 */
record TableRow(
    String label,
    Function<Summary, OptionalDouble> value,
    Metric.Better better,
    DoubleFunction<String> format) {}

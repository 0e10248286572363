package io.orrery.reports.table;

import io.orrery.reports.summary.RunFacts;

/**
 * A run whose rows go into tables.
 *
 * @param name of the run's variant
 * @param facts with profiles, for the table over time
 */
public record RunRows(String name, RunFacts facts) {}

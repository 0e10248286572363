/** Summaries, tables and documents made from the results of runs. */
@NullMarked
package io.orrery.reports;

import org.jspecify.annotations.NullMarked;

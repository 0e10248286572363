/**
 * The report of an experiment as data: what is looked at in each run ({@code RunFigures}), the
 * charts and tables made of it, section by section ({@code Report}).
 */
@NullMarked
package io.orrery.reports.figures;

import org.jspecify.annotations.NullMarked;

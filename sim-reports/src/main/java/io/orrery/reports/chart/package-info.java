/**
 * Charts as data: what a picture shows, apart from how it is drawn. The same chart becomes an image
 * file, a drawing in the HTML report and a table.
 */
@NullMarked
package io.orrery.reports.chart;

import org.jspecify.annotations.NullMarked;

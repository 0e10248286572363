/** Results row by row, for notebooks and spreadsheets: the same tables as Parquet and as CSV. */
@NullMarked
package io.orrery.reports.table;

import org.jspecify.annotations.NullMarked;

/**
 * Growable columns of numbers that may be larger than the heap: small ones are arrays, big ones lie
 * in mapped temporary files, and whoever reads them need not know which. {@link
 * io.orrery.traces.columns.ColumnStorage} says where the line is and where the files are.
 *
 * <p>A column is filled by one thread; once nobody writes to it any more, any number of threads may
 * read it. Whoever wants the mapped space back before the garbage collector comes by calls {@link
 * io.orrery.traces.columns.Column#release}.
 */
@NullMarked
package io.orrery.traces.columns;

import org.jspecify.annotations.NullMarked;

/**
 * What fits into the memory of a GPU: {@link io.orrery.reports.footprint.FootprintGrid} lays out a
 * model over GPUs, tensor parallelism and precisions, {@link
 * io.orrery.reports.footprint.FootprintTable} shows it to people and {@link
 * io.orrery.reports.footprint.FootprintDocument} to programs.
 */
@NullMarked
package io.orrery.reports.footprint;

import org.jspecify.annotations.NullMarked;

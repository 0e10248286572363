/**
 * Sweeps: many runs of one scenario under many settings. {@link
 * io.orrery.scenarios.sweep.SweepReader} reads a scenario's {@code sweep:}, {@link
 * io.orrery.scenarios.sweep.Sweep} makes any of its points when it is asked for, so that ten
 * thousand of them take no memory.
 */
@NullMarked
package io.orrery.scenarios.sweep;

import org.jspecify.annotations.NullMarked;

/**
 * Measured serving beside the simulation of it: reads files of measurements, replays every measured
 * configuration through the engine, and fits host constants without the rows they are judged on.
 *
 * <p>{@link io.orrery.scenarios.fidelity.Replay} is one measured configuration as a run: a trace,
 * settings and a worker, for host constants of one's choice. A {@link
 * io.orrery.scenarios.fidelity.FidelityRun} does the rest.
 */
@NullMarked
package io.orrery.scenarios.fidelity;

import org.jspecify.annotations.NullMarked;

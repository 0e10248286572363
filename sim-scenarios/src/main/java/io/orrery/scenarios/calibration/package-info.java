/**
 * Fits an engine's host constants, and kernel laws, to measurements of somebody's own cluster, and
 * says how far off they are on measurements that the fit has not seen.
 *
 * <p>A {@link io.orrery.scenarios.calibration.MeasuredRun} is told by the model for any constants;
 * {@link io.orrery.scenarios.calibration.HostCalibration} finds those that tell it best.
 */
@NullMarked
package io.orrery.scenarios.calibration;

import org.jspecify.annotations.NullMarked;

/**
 * Questions of capacity: {@link io.orrery.scenarios.plan.PlanReader} reads a scenario's {@code
 * plan:}, {@link io.orrery.scenarios.plan.Plan} makes the run of a candidate at a size, {@link
 * io.orrery.scenarios.plan.BoundarySearch} looks for the size at which it ceases to hold.
 */
@NullMarked
package io.orrery.scenarios.plan;

import org.jspecify.annotations.NullMarked;

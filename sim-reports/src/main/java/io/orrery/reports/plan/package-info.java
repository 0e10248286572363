/**
 * Answers to questions of capacity: {@link io.orrery.reports.plan.Planner} searches, {@link
 * io.orrery.reports.plan.PlanResult} is what it found, the others tell it.
 */
@NullMarked
package io.orrery.reports.plan;

import org.jspecify.annotations.NullMarked;

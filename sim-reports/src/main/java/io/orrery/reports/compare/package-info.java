/** Runs against runs: what changed, by how much, and whether it is more than luck. */
@NullMarked
package io.orrery.reports.compare;

import org.jspecify.annotations.NullMarked;

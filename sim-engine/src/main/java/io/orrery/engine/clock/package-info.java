/** Simulated time: integer nanoseconds, and events in one total order. */
@NullMarked
package io.orrery.engine.clock;

import org.jspecify.annotations.NullMarked;

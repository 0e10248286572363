/** The simulated cluster: clock, events, workers, KV caches, routing and results. */
@NullMarked
package io.orrery.engine;

import org.jspecify.annotations.NullMarked;

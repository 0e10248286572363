/**
 * What one wants to know about a trace before replaying it: lengths, turns, waits, what a cache
 * could hold of it and for how long, and what a router could change. Nothing here simulates.
 */
@NullMarked
package io.orrery.traces.analysis;

import org.jspecify.annotations.NullMarked;

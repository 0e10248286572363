/**
 * A scenario as typed values: immutable, with units resolved (nanoseconds, tokens per second),
 * every default filled in and every path resolved. {@code auto} is an empty optional, for the
 * engine mapping to decide.
 */
@NullMarked
package io.orrery.scenarios.spec;

import org.jspecify.annotations.NullMarked;

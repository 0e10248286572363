/**
 * Where a request goes: the interfaces that a routing policy is written against, the policies that
 * come with Orrery, and their registry.
 *
 * <p>A policy sees the request, the candidates and its own ledgers, never the trace's future. What
 * the router believes about caches ({@link io.orrery.engine.routing.PrefixBeliefs}) is kept apart
 * from what is true.
 */
@NullMarked
package io.orrery.engine.routing;

import org.jspecify.annotations.NullMarked;

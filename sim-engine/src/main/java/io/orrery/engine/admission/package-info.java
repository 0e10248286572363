/**
 * Whether a request may go to a worker now: the interfaces that an admission policy is written
 * against, the policies that come with Orrery, and their registry.
 *
 * <p>Admission decides before routing. A policy sees a request when the client sends it, and what
 * becomes of it; it may let it pass, hold it, refuse it, and say which worker it must go to.
 */
@NullMarked
package io.orrery.engine.admission;

import org.jspecify.annotations.NullMarked;

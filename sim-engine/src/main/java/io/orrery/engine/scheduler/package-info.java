/**
 * The schedulers of inference engines, decision for decision and without time: which requests form
 * the next step, who is preempted, which blocks are used. {@link
 * io.orrery.engine.scheduler.DecodeSegment} does many decode-only steps at once and leaves the same
 * state.
 */
@NullMarked
package io.orrery.engine.scheduler;

import org.jspecify.annotations.NullMarked;

/**
 * Compares schedulers and caches with recordings of the real ones, step by step.
 *
 * <p>A recording holds one scenario a line: a workload, a configuration, and for every step what
 * the real engine did. {@link io.orrery.cli.conformance.VllmReplay} drives {@link
 * io.orrery.engine.scheduler.VllmScheduler} through the same engine loop, {@link
 * io.orrery.cli.conformance.RadixReplay} and {@link io.orrery.cli.conformance.QueueOrderReplay} do
 * so with SGLang's radix cache and queue order; each writes down the same facts in the same form.
 * {@link io.orrery.cli.conformance.Conformance} reports the first fact that differs.
 */
@NullMarked
package io.orrery.cli.conformance;

import org.jspecify.annotations.NullMarked;

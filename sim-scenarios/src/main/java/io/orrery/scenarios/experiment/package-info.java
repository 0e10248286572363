/**
 * From a scenario to runs: {@link io.orrery.scenarios.experiment.Experiment} reads the traces,
 * builds the clusters and hands out one {@link io.orrery.scenarios.experiment.ScenarioRun} for each
 * variant. What variants have in common (a trace, its view at a block size, a step-time model) is
 * made once and shared.
 *
 * <p>Whatever is decided on the user's behalf on the way (a dispatch rule, a number of KV blocks, a
 * fact that is assumed rather than known) becomes a sentence in {@link
 * io.orrery.scenarios.experiment.ScenarioRun#assumptions()}.
 */
@NullMarked
package io.orrery.scenarios.experiment;

import org.jspecify.annotations.NullMarked;

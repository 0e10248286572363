package io.orrery.scenarios;

import io.orrery.scenarios.spec.ScenarioSpec;

/**
 * One run of a scenario.
 *
 * @param name unique in the scenario
 * @param config every setting with its origin
 * @param spec the same as typed values
 */
public record Variant(String name, EffectiveConfig config, ScenarioSpec spec) {}

/**
 * What a scenario may say: every key with its type, unit, default, range and meaning, declared once
 * in {@link io.orrery.scenarios.schema.ScenarioSchema} and the sections that it names. Validation,
 * {@code defaults.yaml} and the reference page come from it.
 */
@NullMarked
package io.orrery.scenarios.schema;

import org.jspecify.annotations.NullMarked;

/** Scenario files, their defaults, and the experiments that they describe. */
@NullMarked
package io.orrery.scenarios;

import org.jspecify.annotations.NullMarked;

/** Turns the settings of other systems into scenario keys, and says what has no counterpart. */
@NullMarked
package io.orrery.scenarios.imports;

import org.jspecify.annotations.NullMarked;

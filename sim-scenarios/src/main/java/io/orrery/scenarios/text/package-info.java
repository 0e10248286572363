/**
 * Text in, text out: positions, problems, YAML with a line for everything, quantities with units,
 * and the canonical form in which a configuration is written.
 */
@NullMarked
package io.orrery.scenarios.text;

import org.jspecify.annotations.NullMarked;

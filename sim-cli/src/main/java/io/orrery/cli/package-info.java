/** The commands of {@code orrery}. */
@NullMarked
package io.orrery.cli;

import org.jspecify.annotations.NullMarked;

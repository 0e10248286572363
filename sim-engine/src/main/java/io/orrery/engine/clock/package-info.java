/** TBD clock. */
@NullMarked
package io.orrery.engine.clock;

import org.jspecify.annotations.NullMarked;

/** TBD routing. */
@NullMarked
package io.orrery.engine.routing;

import org.jspecify.annotations.NullMarked;

/** TBD scheduler. */
@NullMarked
package io.orrery.engine.scheduler;

import org.jspecify.annotations.NullMarked;

/** TBD record. */
@NullMarked
package io.orrery.engine.record;

import org.jspecify.annotations.NullMarked;

/** TBD cache. */
@NullMarked
package io.orrery.engine.cache;

import org.jspecify.annotations.NullMarked;

/** TBD cluster. */
@NullMarked
package io.orrery.engine.cluster;

import org.jspecify.annotations.NullMarked;

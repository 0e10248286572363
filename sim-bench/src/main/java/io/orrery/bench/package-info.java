/** JMH benchmarks of the hot paths. */
@NullMarked
package io.orrery.bench;

import org.jspecify.annotations.NullMarked;

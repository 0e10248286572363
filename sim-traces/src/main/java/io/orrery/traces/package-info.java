/** Request traces in memory and the readers of their file formats. */
@NullMarked
package io.orrery.traces;

import org.jspecify.annotations.NullMarked;

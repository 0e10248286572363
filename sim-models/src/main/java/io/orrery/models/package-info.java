/** GPUs, model architectures, memory footprint and the time that one forward pass takes. */
@NullMarked
package io.orrery.models;

import org.jspecify.annotations.NullMarked;

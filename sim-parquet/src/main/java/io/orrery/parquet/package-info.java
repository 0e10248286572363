@NullMarked
package io.orrery.parquet;

import org.jspecify.annotations.NullMarked;

/**
 * KV blocks: the pool of one worker (vLLM's {@link io.orrery.engine.cache.BlockPool}, SGLang's
 * {@link io.orrery.engine.cache.RadixCache}), the keys that stand for their content, and tables
 * over keys.
 *
 * <p>A key is a {@code long}. Below bit 62 it is a block that the trace names (the same key is the
 * same content on the same prefix); with bit 62 set it belongs to one request alone. Bits 40 to 61
 * number the copies of a recycled trace.
 */
@NullMarked
package io.orrery.engine.cache;

import org.jspecify.annotations.NullMarked;

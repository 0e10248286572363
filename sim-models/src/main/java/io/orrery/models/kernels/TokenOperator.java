package io.orrery.models.kernels;

import java.util.function.IntToDoubleFunction;

/**
 * A part of a forward pass whose time follows from a number of tokens alone.
 *
 * @param name what it is, such as {@code qkv}
 * @param count how often it occurs in a pass
 * @param micros microseconds of one for that many tokens
 * @param floorMicros what the hardware needs for one at least, 0 if no bound is known
 */
public record TokenOperator(
    String name, int count, IntToDoubleFunction micros, IntToDoubleFunction floorMicros) {}

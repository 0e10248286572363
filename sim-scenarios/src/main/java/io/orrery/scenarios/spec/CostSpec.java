package io.orrery.scenarios.spec;

import java.util.OptionalDouble;

/**
 * What GPUs cost and draw.
 *
 * @param price whose price of the catalogue: {@code rental}, {@code neocloud}, {@code hyperscaler}
 * @param dollarsPerGpuHour price of a GPU hour; empty for the catalogue's
 * @param wattsPerGpu power of a GPU with its share of everything around it; empty for the
 *     catalogue's
 */
public record CostSpec(
    String price, OptionalDouble dollarsPerGpuHour, OptionalDouble wattsPerGpu) {}

package io.orrery.models;

/**
 * The experts of a layer.
 *
 * @param count routed experts
 * @param perToken routed experts that each token visits
 * @param intermediate width of a routed expert
 * @param sharedIntermediate width of all shared experts together, which every token visits; 0 for
 *     none
 * @param latentSize width that tokens are narrowed to before routed experts, by a projection that
 *     every GPU holds; 0 for the model's own
 */
public record Experts(
    int count, int perToken, int intermediate, int sharedIntermediate, int latentSize) {}

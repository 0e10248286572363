package io.orrery.engine.record;

/**
 * What the router did.
 *
 * @param decisions requests that a policy chose a worker for
 * @param queued requests that had to wait in the router's queue
 * @param indexUpdates block events that the index took in; 0 without an index
 * @param indexLookUps prompts that were matched against the index
 * @param indexBlocks distinct blocks that the index believed to be somewhere at the end
 */
public record RouterStats(
    long decisions, long queued, long indexUpdates, long indexLookUps, long indexBlocks) {}

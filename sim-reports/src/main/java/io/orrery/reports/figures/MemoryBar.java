package io.orrery.reports.figures;

/**
 * Where the memory of one GPU goes.
 *
 * @param name the precisions, such as "nvfp4, KV fp8"
 * @param kvGib what is left for KV; 0 if the rest does not fit
 * @param workerTokens tokens that the KV of a worker, all its GPUs together, holds
 */
public record MemoryBar(
    String name,
    double weightsGib,
    double activationsGib,
    double reserveGib,
    double kvGib,
    long workerTokens) {}

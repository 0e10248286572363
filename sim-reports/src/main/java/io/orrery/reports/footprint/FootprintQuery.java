package io.orrery.reports.footprint;

import io.orrery.models.EngineMemory;
import io.orrery.models.Gpu;
import io.orrery.models.ModelArchitecture;
import io.orrery.models.Precision;
import java.util.List;
import java.util.OptionalDouble;

/**
 * What to lay out.
 *
 * @param model the model
 * @param gpus kinds of GPU
 * @param tensorParallel GPUs that share a layer
 * @param pipelineParallel stages
 * @param expertParallel groups that experts are dealt to
 * @param attentionDataParallel ranks with sequences of their own
 * @param draftLayers layers for multi-token prediction
 * @param weights precisions of the weights
 * @param kv precisions of the KV cache
 * @param engine the engine's memory rules
 * @param share the engine's memory share; empty for its default
 * @param maxBatchedTokens largest number of new tokens in a pass
 * @param maxSequences largest number of sequences in a pass
 * @param context tokens of a session
 * @param prefixCaching whether state-space layers keep snapshots
 */
public record FootprintQuery(
    ModelArchitecture model,
    List<Gpu> gpus,
    List<Integer> tensorParallel,
    int pipelineParallel,
    int expertParallel,
    int attentionDataParallel,
    int draftLayers,
    List<Precision> weights,
    List<Precision> kv,
    EngineMemory engine,
    OptionalDouble share,
    int maxBatchedTokens,
    int maxSequences,
    long context,
    boolean prefixCaching) {}

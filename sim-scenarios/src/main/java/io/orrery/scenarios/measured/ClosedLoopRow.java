package io.orrery.scenarios.measured;

/**
 * A measured configuration of a closed-loop benchmark: a fixed number of requests in flight,
 * lengths uniform between 80 and 100 % of the nominal ones, no prefix cache.
 *
 * @param file the file, as the user named it
 * @param line where the row stands
 * @param system the system in the source, such as {@code b200_sxm}
 * @param model the model in the source
 * @param engine the engine: vllm, trtllm or sglang
 * @param engineVersion its version, empty if unknown
 * @param denseFormat format of the projections
 * @param expertFormat format of the experts
 * @param inputTokens nominal prompt length
 * @param outputTokens nominal output length
 * @param concurrency requests in flight
 * @param tensorParallel GPUs of the worker
 * @param pipelineParallel stages
 * @param attentionParallel replicas of the attention
 * @param expertParallel groups that the experts are dealt to
 * @param ttftMillis mean time to first token
 * @param tpotMillis mean time per output token
 * @param repeats how often it was measured
 * @param ttftSpread relative spread of the repeats, NaN for a single one
 * @param tpotSpread the same of the time per output token
 */
public record ClosedLoopRow(
    String file,
    int line,
    String system,
    String model,
    String engine,
    String engineVersion,
    String denseFormat,
    String expertFormat,
    int inputTokens,
    int outputTokens,
    int concurrency,
    int tensorParallel,
    int pipelineParallel,
    int attentionParallel,
    int expertParallel,
    double ttftMillis,
    double tpotMillis,
    int repeats,
    double ttftSpread,
    double tpotSpread) {}

package io.orrery.scenarios.schema;

import io.orrery.scenarios.schema.SchemaNode.Key;
import io.orrery.scenarios.schema.SchemaNode.Section;

/**
 * The keys of an item of {@code cluster.pools}: equal workers, their GPUs and the model they serve.
 */
final class PoolKeys {
  private static final Section PRECISION =
      Section.of(
          "precision",
          "Number formats.",
          Key.of(
              "weights",
              ValueType.choice("bf16", "fp8", "nvfp4", "mxfp4"),
              "bf16",
              "Precision of the weights."),
          Key.of(
              "kv",
              ValueType.choice("bf16", "fp8", "nvfp4"),
              "bf16",
              "Precision of the KV cache."));

  static final Section POOL =
      Section.of(
          "pools",
          "A pool of equal workers.",
          Key.of(
              "name",
              ValueType.label(),
              ScenarioSchema.DEFAULT_ITEM_NAME,
              "Name of the pool, unique in the cluster."),
          Key.of(
              "role",
              ValueType.choice("aggregated", "prefill", "decode"),
              "aggregated",
              "What the workers do: both prefill and decode (aggregated), or one of them."),
          Key.of("workers", ValueType.whole(1, 1 << 16), "1", "Model replicas in the pool."),
          Key.of(
              "gpu",
              ValueType.name("the name of a GPU"),
              "b200",
              "GPU kind, by its name in the catalogue."),
          Key.of(
              "model",
              ValueType.nameOrPath("the name of a model or the path of its config.json"),
              "qwen3-coder-30b-a3b",
              "Model, by its name in the catalogue (orrery catalog models), or the path of a Hugging Face config.json."),
          Key.of(
              "tensorParallel",
              ValueType.whole(1, 1024),
              "1",
              "GPUs that share each layer of a replica."),
          Key.of(
              "pipelineParallel",
              ValueType.whole(1, 1024),
              "1",
              "Stages that a replica's layers are split into."),
          Key.of(
              "expertParallel",
              ValueType.whole(1, 1024),
              "1",
              "Groups of a stage's GPUs that routed experts are dealt to; the GPUs of a group cut every expert."),
          Key.of(
              "attentionDataParallel",
              ValueType.whole(1, 1024),
              "1",
              "Ranks of a stage's GPUs with sequences and KV of their own, which share the experts; 1 for none."),
          PRECISION,
          Key.of(
              "gpuMemoryUtilization",
              ValueType.positiveFractionOr("auto"),
              "auto",
              "The engine's memory share: gpu_memory_utilization of vLLM, free_gpu_memory_fraction of TensorRT-LLM, mem_fraction_static of SGLang; auto is the preset's default (docs/memory.md)."),
          Key.of(
              "weight",
              ValueType.positive(1_000_000),
              "1",
              "Weight of a worker for policies that share out load by weight."),
          Key.optional(
              "labels",
              ValueType.texts("a label or a list of labels"),
              "What routing.placement can ask for."));

  private PoolKeys() {}
}

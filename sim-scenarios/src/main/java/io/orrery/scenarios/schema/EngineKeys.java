package io.orrery.scenarios.schema;

import io.orrery.scenarios.schema.SchemaNode.Key;
import io.orrery.scenarios.schema.SchemaNode.Section;

/**
 * The keys of {@code engine}: what every engine has, then what only some have, and speculative
 * decoding.
 */
final class EngineKeys {
  private static final Section SPECULATION =
      Section.withShorthand(
          "speculation",
          "Speculative decoding (vLLM): tokens are drafted for every decode and verified with the next one.",
          "method",
          Key.of(
              "method",
              ValueType.choice("none", "mtp", "eagle", "ngram"),
              "none",
              "What drafts: heads of the model (mtp, eagle), which keep slots ahead and compute the last block of every hit again, or"
                  + " look-ups in the prompt (ngram)."),
          Key.of("draftTokens", ValueType.whole(1, 64), "1", "Tokens drafted for a decode."),
          Key.optional(
              "acceptance",
              ValueType.shares(),
              "Probability that a drafted token is accepted if those before it were, for each position, or one for all; needed"
                  + " unless method is none."),
          Key.of(
              "mode",
              ValueType.choice("expected", "sampled"),
              "expected",
              "A step accepts what is expected, in whole tokens as they add up, or what is drawn from the seed for each token."),
          Key.of(
              "draftLayers",
              ValueType.wholeOr("auto", 1, 16),
              "auto",
              "Layers of the head that drafts (mtp, eagle), in the shape of the model's, whose weights and KV the GPUs hold; auto"
                  + " is as many as the model was published with for mtp, and 1 for eagle."),
          Key.of(
              "draftTime",
              ValueType.durationFromZeroOr("auto"),
              "auto",
              "Time that drafting one token adds to a step that yields tokens; auto is what the step time model says of one draft"
                  + " layer and the output projection over the batch, and nothing for ngram."));

  static final Section ENGINE =
      Section.of(
          "engine",
          "The serving engine of every worker. Keys without a default of their own take it from the preset.",
          Key.of(
              "preset",
              ValueType.choice(EnginePreset.names()),
              EnginePreset.names()[0],
              "Dated set of an engine's rules and defaults."),
          Key.preset(
              "blockSize",
              ValueType.whole(1, 1 << 20),
              "Tokens in a KV cache block; SGLang: in a page."),
          Key.preset(
              "kvBlocks",
              ValueType.wholeOr("auto", 2, ScenarioSchema.MOST_BLOCKS),
              "KV cache blocks of a worker, the one included that vLLM never uses; auto is what the GPUs' memory leaves."),
          Key.preset(
              "maxBatchedTokens",
              ValueType.whole(1, Integer.MAX_VALUE),
              "Most tokens that one step computes."),
          Key.preset(
              "maxSequences",
              ValueType.whole(1, 10_000_000),
              "Most requests running at once on a worker."),
          Key.preset(
              "chunkedPrefill", ValueType.flag(), "A prompt may be computed over several steps."),
          Key.preset("prefixCaching", ValueType.flag(), "Blocks of earlier requests are reused."),
          Key.preset(
              "asyncScheduling",
              ValueType.flag(),
              "The next step is scheduled while the current one runs, so host time overlaps GPU time."),
          Key.preset(
              "maxModelLength",
              ValueType.wholeOr("auto", 2, Integer.MAX_VALUE),
              "Most tokens of prompt and output together; auto is the smaller of the model's limit and what the pool holds."),
          Key.preset(
              "schedulingPolicy",
              ValueType.choice("fcfs", "priority"),
              "Order of waiting requests: first come, first served, or by the request's priority."),
          Key.preset(
              "longPrefillTokenThreshold",
              ValueType.whole(0, Integer.MAX_VALUE),
              "Most prompt tokens of one request in a step; 0 is no such limit."),
          Key.preset(
              "reserveFullPrompt",
              ValueType.flag(),
              "A request is admitted only if blocks for its whole prompt are free, not just for its first chunk."),
          Key.preset(
              "watermark",
              ValueType.shareBelowOne(),
              "Share of the blocks that must stay free when a request is admitted beside running ones."),
          Key.preset(
              "capacityPolicy",
              ValueType.choice("guaranteed-no-evict", "max-utilization"),
              "Admit what can run to its end without taking blocks from anybody, or what fits now, pausing the newest request when"
                  + " blocks run out."),
          Key.preset(
              "schedulePolicy",
              ValueType.choice("fcfs", "lpm"),
              "Order in which waiting requests are offered: first come, first served, or longest cached prefix first."),
          Key.preset(
              "scheduleConservativeness",
              ValueType.positive(1000),
              "Scales the share of their possible output that is reserved for running requests."),
          Key.preset(
              "chunkedPrefillSize",
              ValueType.whole(0, Integer.MAX_VALUE),
              "Most prompt tokens of a prefill pass, a multiple of the page; 0 computes every prompt in one pass."),
          Key.preset(
              "maxPrefillTokens",
              ValueType.whole(1, Integer.MAX_VALUE),
              "Prompt tokens from which on a prefill pass takes no further request."),
          SPECULATION);

  private EngineKeys() {}
}

package io.orrery.scenarios.schema;

import io.orrery.scenarios.schema.SchemaNode.Apart;
import io.orrery.scenarios.schema.SchemaNode.ItemList;
import io.orrery.scenarios.schema.SchemaNode.Key;
import io.orrery.scenarios.schema.SchemaNode.Parameters;
import io.orrery.scenarios.schema.SchemaNode.Section;
import io.orrery.scenarios.text.KeyPath;
import io.orrery.scenarios.text.Value;
import java.util.List;

/**
 * Every key of a scenario, declared once. The order here is the order of {@code defaults.yaml}, of
 * the reference page and of every effective configuration.
 */
public final class ScenarioSchema {
  /** The name of a list's item that has none of its own. */
  public static final String DEFAULT_ITEM_NAME = "main";

  /** Most KV cache blocks of a worker: a block takes 32 bytes here, and an array has 2^31 - 1. */
  public static final int MOST_BLOCKS = 1 << 27;

  private static final long MANY = 1_000_000_000L;

  private static final Section TRACE =
      Section.of(
          "trace",
          "The requests to replay, and when they are sent.",
          Key.required(
              "files",
              ValueType.paths(),
              "Trace files or folders, relative to the file that names them."),
          Key.of(
              "format",
              ValueType.name("auto, or the name of a trace format"),
              "auto",
              "Trace format; auto looks at the content."),
          Key.of(
              "blockSize",
              ValueType.wholeOr("auto", 1, 1 << 20),
              "auto",
              "Tokens a block hash of the trace stands for; auto takes the file's or the format's own."),
          Key.optional(
              "map",
              ValueType.text("NAME=COLUMN pairs with commas in between"),
              "What the columns of a table, or the keys of JSON lines, of no known format mean, as in"
                  + " input=prompt_tokens,output=gen,timestamp=ts:s (docs/traces.md)."),
          Key.of(
              "sharedSystemPrefix",
              ValueType.flag(),
              "true",
              "Sessions with equal model, tool and system token counts share those first blocks, where the format keeps block"
                  + " hashes local to a session."),
          Key.of(
              "dispatch",
              ValueType.choice("auto", "lanes", "closed-loop", "timestamps"),
              "auto",
              "When requests are sent; auto is closed-loop where sessions share a clock, and lanes where they do not."),
          Section.of(
              "timestamps",
              "Open loop: every request at its recorded time, whatever the cluster does.",
              Key.of(
                  "speedup", ValueType.positive(MANY), "1", "Recorded times are divided by this.")),
          Section.of(
              "closedLoop",
              "A later turn starts when what it waits for has completed, plus the recorded gap.",
              Section.withShorthand(
                  "arrivals",
                  "When root sessions start.",
                  "process",
                  Key.of(
                      "process",
                      ValueType.choice("recorded", "poisson", "uniform", "gamma"),
                      "recorded",
                      "Recorded start times, or a renewal process with the rate below, drawn from the seed."),
                  Key.optional(
                      "rate",
                      ValueType.rate("sessions/s", MANY),
                      "Root sessions started per second; needed unless process is recorded."),
                  Key.optional(
                      "cv",
                      ValueType.positive(1000),
                      "Coefficient of variation of the gaps, for gamma only: above 1 is burstier than poisson."))),
          Section.of(
              "lanes",
              "A number of sessions alive at once; a finished session frees its lane for the next.",
              Key.of(
                  "count",
                  ValueType.wholeOr("auto", 1, 10_000_000),
                  "auto",
                  "Sessions alive at once; auto is 8 for each worker."),
              Key.of(
                  "recycle",
                  ValueType.flag(),
                  "false",
                  "Start again from the first session when the trace runs out, each time with block names of its own; needs"
                      + " limit or limits.simulatedTime."),
              Key.of(
                  "randomStart",
                  ValueType.flag(),
                  "false",
                  "Start each session at a random turn between 25 % and 75 % of its turns, drawn from the seed, so that lanes are not in step."),
              Key.of(
                  "limit",
                  ValueType.wholeOr("all", 1, MANY),
                  "all",
                  "Sessions to start in all; all is every session of the trace once.")));

  private static final Section POOL =
      Section.of(
          "pools",
          "A pool of equal workers.",
          Key.of(
              "name",
              ValueType.label(),
              DEFAULT_ITEM_NAME,
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
                  "Precision of the KV cache.")),
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

  private static final Section ENGINE =
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
              ValueType.wholeOr("auto", 2, MOST_BLOCKS),
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
                      + " layer and the output projection over the batch, and nothing for ngram.")));

  /** The key that chooses what {@code routing}'s parameters mean. */
  public static final KeyPath ROUTING_POLICY = KeyPath.ROOT.child("routing").child("policy");

  /** The key that chooses what {@code admission}'s parameters mean. */
  public static final KeyPath ADMISSION_POLICY = KeyPath.ROOT.child("admission").child("policy");

  private static final Section ADMISSION =
      Section.withParameters(
          "admission",
          "Whether a request may go to a worker now; decided before routing.",
          new Parameters(
              "PARAMETER",
              "policy",
              "a parameter of the policy",
              "A parameter of the policy, which declares which there are. Choosing another policy in a variant or on the"
                  + " command line drops the parameters of the one below."),
          Key.of(
              "policy",
              ValueType.name("the name of an admission policy"),
              "none",
              "Admission policy, by its name."));

  private static final Section ROUTING =
      Section.withParameters(
          "routing",
          "Which worker gets a request.",
          new Parameters(
              "PARAMETER",
              "policy",
              "a parameter of the policy",
              "A parameter of the policy, which declares which there are. Choosing another policy in a variant or on the"
                  + " command line drops the parameters of the one below."),
          Key.of(
              "policy",
              ValueType.name("the name of a routing policy"),
              "round-robin",
              "Routing policy, by its name."),
          Key.of(
              "indexDelay",
              ValueType.duration(true),
              "0 s",
              "How long a worker's block events take to reach the router's index."),
          Key.of(
              "indexLoss",
              ValueType.shareBelowOne(),
              "0",
              "Probability that a block event is lost on the way."),
          Key.of(
              "metricsInterval",
              ValueType.duration(true),
              "0 s",
              "How often the router scrapes the workers' metrics (KV use, batch, queue); 0 s reads them when it decides."),
          Key.of(
              "replicas",
              ValueType.whole(1, 127),
              "1",
              "Routers side by side; each request comes to one of them, drawn from the seed."),
          Key.of(
              "replicaDelay",
              ValueType.durationFromZeroOr("never"),
              "never",
              "How long the news of one replica's requests takes to reach the others; never if they are not synchronised."),
          Key.of(
              "activeRequestExpiry",
              ValueType.durationOr("never"),
              "never",
              "How long after its placement the router's ledger forgets a request that has not ended (Dynamo: 300 s)."),
          Key.of(
              "lookUpTime",
              ValueType.duration(true),
              "0 s",
              "What a decision costs a replica with an index, one after the other."),
          Key.of(
              "updateTime",
              ValueType.duration(true),
              "0 s",
              "What a block event costs each replica with an index; requests wait behind them."),
          Key.of(
              "busyBlocks",
              ValueType.numberOr("none", 1_000_000),
              "none",
              "A worker gets nothing while the prompt blocks in flight there are above this share of its KV blocks."),
          Key.of(
              "busyPrefillTokens",
              ValueType.numberOr("none", MANY),
              "none",
              "A worker gets nothing while more prompt tokens than this are still to be computed there."),
          Key.of(
              "busyPrefillSteps",
              ValueType.numberOr("none", 1_000_000),
              "none",
              "The same in multiples of engine.maxBatchedTokens."),
          Section.of(
              "queue",
              "Requests wait at the router while it takes every worker for busy.",
              Key.of(
                  "threshold",
                  ValueType.numberOr("off", 1_000_000),
                  "off",
                  "A request waits while more than this many times engine.maxBatchedTokens are still to be computed on every"
                      + " worker that it may go to; off is never."),
              Key.of(
                  "order",
                  ValueType.choice("fcfs", "lcfs", "wspt"),
                  "fcfs",
                  "Who goes first: who came first, who came last, or by (1 + head start) / uncached tokens."),
              Key.of(
                  "priorities",
                  ValueType.choice("head-start", "strict"),
                  "head-start",
                  "What a request's priority does: negative ones are a head start of so many seconds and positive ones do"
                      + " nothing, or lower ones go strictly first.")),
          Key.optional(
              "placement",
              ValueType.texts(
                  "a rule or a list of rules such as \"session eval-* -> label spare\""),
              "Which workers certain requests may go to, the first rule that holds: session PATTERN, input >= N, input < N,"
                  + " child, root, always (joined by and) -> pool NAME, label NAME, worker N, or prefer LABEL WEIGHT."));

  private static final Section ROOT =
      Section.of(
          "",
          "A scenario.",
          TRACE,
          Section.of(
              "cluster",
              "The workers.",
              new ItemList(
                  "pools",
                  "The pools; without a list there is one pool with every default.",
                  POOL)),
          ENGINE,
          Section.of(
              "cache",
              "What the KV cache may assume.",
              Key.of(
                  "completionReuse",
                  ValueType.probability("verbatim", "none"),
                  "verbatim",
                  "Whether a turn's output comes back unchanged in the next prompt: always, never, or with this probability."),
              Key.of(
                  "reference",
                  ValueType.choice("none", "infinite-cache"),
                  "none",
                  "infinite-cache: nothing is ever evicted and KV memory holds nobody up. A reference to compare with, not a"
                      + " cluster that exists, and no bound: batches and closed loops go another way.")),
          Section.of(
              "stepTime",
              "How long a step lasts.",
              Key.of(
                  "model",
                  ValueType.choice("law", "table", "roofline", "polynomial"),
                  "law",
                  "Step-time model: laws fitted to measured kernels (law), measured tables of one's own (table), what the datasheet"
                      + " allows at best (roofline), or DynoSim's fixed polynomials, for comparison only."),
              Key.of(
                  "kernels",
                  ValueType.choice("auto", "vllm", "trtllm", "sglang"),
                  "auto",
                  "Whose kernels law and table stand for, host costs included; auto is the engine preset's (SGLang's are in no table, vLLM's stand in)."),
              Key.of(
                  "experts",
                  ValueType.choice("skewed", "even"),
                  "skewed",
                  "How law and table route tokens to experts: some more wanted than others, or all alike."),
              Key.optional(
                  "perfData",
                  ValueType.path(),
                  "Folder of measured kernel tables, relative to the file that names it (table only)."),
              Key.optional(
                  "profile",
                  ValueType.path(),
                  "Profile that orrery calibrate wrote, relative to the file that names it: its host costs, and its kernel laws if it"
                      + " has any, in place of those that ship (law and table)."),
              Key.of(
                  "speedup",
                  ValueType.positive(MANY),
                  "1",
                  "Every step's time is divided by this (polynomial only)."),
              Key.of(
                  "decodeSpeedup",
                  ValueType.positive(MANY),
                  "1",
                  "Decode time is divided by this as well (polynomial only)."),
              Key.of(
                  "stepOverhead",
                  ValueType.duration(true),
                  "0 s",
                  "Host time of a step (roofline only): hidden behind the GPU's by asynchronous scheduling where it is shorter, else added.")),
          ROUTING,
          ADMISSION,
          Section.of(
              "slo",
              "What users were promised; goodput counts the requests that got it.",
              Key.of("ttft", ValueType.duration(false), "2 s", "Longest time to first token."),
              Key.of(
                  "tokensPerSecondPerUser",
                  ValueType.rate("tokens/s", MANY),
                  "50",
                  "Least output tokens per second of a request, after its first.")),
          Section.of(
              "cost",
              "What GPUs cost and draw, busy or not.",
              Key.of(
                  "price",
                  ValueType.choice("rental", "neocloud", "hyperscaler"),
                  "rental",
                  "Which of the catalogue's prices holds: three years' rental, or what an hour costs a provider to offer."),
              Key.of(
                  "dollarsPerGpuHour",
                  ValueType.numberOr("auto", MANY),
                  "auto",
                  "Price of an hour of any GPU of the cluster; auto is the catalogue's, and none where it knows none."),
              Key.of(
                  "wattsPerGpu",
                  ValueType.numberOr("auto", MANY),
                  "auto",
                  "Power of a GPU; auto is the catalogue's, the data centre's share included where that is known.")),
          Key.of(
              "seed",
              ValueType.whole(0, Long.MAX_VALUE),
              "1",
              "Seed of everything that is drawn; variants with equal seeds face the same luck."),
          Section.of(
              "limits",
              "When to stop early.",
              Key.of(
                  "simulatedTime",
                  ValueType.durationOr("none"),
                  "none",
                  "Simulated time after which the run ends; what is unfinished then is counted as such.")),
          new Apart(
              "variants",
              "[{name: NAME, set: {PATH: VALUE}}]",
              "Runs to set side by side, each a name and the keys it sets (set: a mapping of dotted paths to values)."),
          new Apart(
              "sweep",
              "{grid: {PATH: [VALUE]}, zip: {PATH: [VALUE]}, list: [{name: NAME, set: {PATH: VALUE}}], random: {points: N, keys: {PATH: {from: A, to: B}}}, seeds: N}",
              "What orrery sweep goes through: every value of a grid with every other, keys that change together (zip), points written"
                  + " out (list), points drawn at random, each with every one of the others, every variant and every seed."),
          new Apart(
              "plan",
              "{find: concurrency, slo: {ttftP95: 2 s, tokensPerSecondPerUser: 50, sessionCompletionP95: 20 min}, candidates: {grid: {PATH: [VALUE]}}, sizes: {from: A, to: B}, tolerance: 0.1, seeds: 2, window: 30 min}",
              "What orrery plan looks for among candidates (written as a sweep; else the variants): the most sessions per GPU"
                  + " (concurrency), or the fewest GPUs (gpus), the least price (usd) or power (kwh) for the load, within an SLO."));

  private ScenarioSchema() {}

  /** The keys that choose policies. */
  public static List<KeyPath> policies() {
    return List.of(ADMISSION_POLICY, ROUTING_POLICY);
  }

  /** Whether a path is a declared key of a policy's section, not a parameter of the policy. */
  public static boolean isDeclaredBeside(KeyPath policy, KeyPath path) {
    Section section = policy.equals(ROUTING_POLICY) ? ROUTING : ADMISSION;
    return path.startsWith(policy.first(1))
        && path.steps().size() > 1
        && section.child(path.steps().get(1)).isPresent();
  }

  /** The document. */
  public static Section root() {
    return ROOT;
  }

  /** Whether a key outside lists has this value where nobody writes it. */
  public static boolean isDefault(KeyPath path, Value value) {
    SchemaNode node = ROOT;
    for (String step : path.steps()) {
      if (!(node instanceof Section section) || section.child(step).isEmpty()) {
        return false;
      }
      node = section.child(step).get();
    }
    return node instanceof Key key
        && key.absence() == SchemaNode.Absence.DEFAULT
        && key.defaultValue().equals(value);
  }
}

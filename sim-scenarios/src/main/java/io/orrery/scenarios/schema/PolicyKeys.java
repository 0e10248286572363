package io.orrery.scenarios.schema;

import io.orrery.scenarios.schema.SchemaNode.Key;
import io.orrery.scenarios.schema.SchemaNode.Parameters;
import io.orrery.scenarios.schema.SchemaNode.Section;

/**
 * The keys of {@code admission} and {@code routing}: a policy, which declares parameters of its
 * own, and what surrounds it.
 */
final class PolicyKeys {
  private static final Parameters PARAMETERS =
      new Parameters(
          "PARAMETER",
          "policy",
          "a parameter of the policy",
          "A parameter of the policy, which declares which there are. Choosing another policy in a variant or on the"
              + " command line drops the parameters of the one below.");

  static final Section ADMISSION =
      Section.withParameters(
          "admission",
          "Whether a request may go to a worker now; decided before routing.",
          PARAMETERS,
          Key.of(
              "policy",
              ValueType.name("the name of an admission policy"),
              "none",
              "Admission policy, by its name."));

  private static final Section QUEUE =
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
                  + " nothing, or lower ones go strictly first."));

  static final Section ROUTING =
      Section.withParameters(
          "routing",
          "Which worker gets a request.",
          PARAMETERS,
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
              ValueType.numberOr("none", ValueType.MANY),
              "none",
              "A worker gets nothing while more prompt tokens than this are still to be computed there."),
          Key.of(
              "busyPrefillSteps",
              ValueType.numberOr("none", 1_000_000),
              "none",
              "The same in multiples of engine.maxBatchedTokens."),
          QUEUE,
          Key.optional(
              "placement",
              ValueType.texts(
                  "a rule or a list of rules such as \"session eval-* -> label spare\""),
              "Which workers certain requests may go to, the first rule that holds: session PATTERN, input >= N, input < N,"
                  + " child, root, always (joined by and) -> pool NAME, label NAME, worker N, or prefer LABEL WEIGHT."));

  private PolicyKeys() {}
}

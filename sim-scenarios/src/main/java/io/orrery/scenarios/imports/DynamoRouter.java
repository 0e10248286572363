package io.orrery.scenarios.imports;

import java.util.List;
import java.util.Set;

/**
 * The router arguments of NVIDIA Dynamo ({@code python -m dynamo.frontend}, {@code dynamo.router}).
 */
final class DynamoRouter {
  private static final Set<String> IGNORED =
      Set.of(
          "--http-port",
          "--http-host",
          "--namespace",
          "--endpoint",
          "--store-kv",
          "--discovery-backend",
          "--request-plane",
          "--event-plane",
          "--router-event-threads",
          "--router-snapshot-threshold",
          "--router-reset-states",
          "--model-name",
          "--model-path");

  private static final Flags FLAGS =
      new Flags("dynamo", IGNORED)
          .valued("--router-mode", DynamoRouter::mode)
          .number(
              "--router-overlap-score-credit --overlap-score-credit", "routing.overlapScoreCredit")
          .number(
              "--router-overlap-score-credit-decay --overlap-score-credit-decay",
              "routing.overlapScoreCreditDecay")
          .number(
              "--router-prefill-load-scale --prefill-load-scale --kv-overlap-score-weight",
              "routing.prefillLoadScale")
          .number(
              "--router-decode-active-request-weight --decode-active-request-weight",
              "routing.decodeActiveRequestWeight")
          .number(
              "--router-host-cache-hit-weight --host-cache-hit-weight",
              "routing.hostCacheHitWeight")
          .number(
              "--router-disk-cache-hit-weight --disk-cache-hit-weight",
              "routing.diskCacheHitWeight")
          .number("--shared-cache-multiplier", "routing.sharedCacheMultiplier")
          .number("--router-temperature", "routing.temperature")
          .valued("--router-selection-policy", DynamoRouter::selection)
          .plain("--no-kv-events --no-router-kv-events", c -> c.put("routing.index", "approximate"))
          .plain("--kv-events --router-kv-events", c -> c.put("routing.index", "events"))
          .seconds("--router-ttl-secs --router-ttl", "routing.approximateTtl")
          .valued(
              "--router-approximate-cache-policy",
              (c, v) -> c.put("routing.approximateEviction", v))
          .seconds("--router-predicted-ttl-secs", "routing.predictedTtl")
          .plain(
              "--no-track-active-blocks --no-router-track-active-blocks",
              c -> c.put("routing.trackActiveBlocks", false))
          .plain(
              "--no-router-track-prefill-tokens", c -> c.put("routing.trackPrefillTokens", false))
          .plain(
              "--no-assume-kv-reuse --no-router-assume-kv-reuse",
              c -> c.put("routing.assumeKvReuse", false))
          .plain("--load-aware", c -> c.put("routing.policy", "dynamo-load-aware-2026-07"))
          .plain("--router-replica-sync", c -> c.put("routing.replicaDelay", "0 s"))
          .number("--router-queue-threshold", "routing.queue.threshold")
          .valued("--router-queue-policy", (c, v) -> c.put("routing.queue.order", v))
          .number("--active-decode-blocks-threshold", "routing.busyBlocks")
          .number("--active-prefill-tokens-threshold", "routing.busyPrefillTokens")
          .number("--active-prefill-tokens-threshold-frac", "routing.busyPrefillSteps")
          .whole("--kv-cache-block-size --router-block-size", "engine.blockSize")
          .seconds("--router-session-affinity-ttl-secs", "routing.ttl")
          .valued("--router-session-affinity-mode", (c, v) -> c.put("routing.mode", v));

  private DynamoRouter() {}

  /** Reads a command. */
  static void read(List<String> words, ImportedConfig config) {
    FLAGS.read(words, 0, config, (c, word) -> {});
    if (config.has("routing.ttl")) {
      config.put("routing.policy", "session-affinity");
      config.note(
          "dynamo --router-session-affinity-ttl-secs: sessions are kept here by a policy of its own, which places a new session by"
              + " load, where Dynamo would ask its KV router; the KV router's arguments are left out.");
      config.dropKvParameters();
    } else if (!config.has("routing.policy")) {
      config.put("routing.policy", "dynamo-2026-07");
    }
  }

  private static void mode(ImportedConfig config, String value) {
    switch (value) {
      case "kv" -> config.put("routing.policy", "dynamo-2026-07");
      case "round-robin", "round_robin" -> config.put("routing.policy", "round-robin");
      case "random" -> config.put("routing.policy", "random");
      case "least-loaded", "least_loaded" -> config.put("routing.policy", "least-loaded");
      case "power-of-two", "power_of_two" -> config.put("routing.policy", "power-of-two");
      case "device-aware-weighted", "device_aware_weighted" ->
          config.put("routing.policy", "weighted");
      default ->
          config.note(
              "dynamo --router-mode " + value + ": no such policy here; see routing.placement.");
    }
  }

  private static void selection(ImportedConfig config, String value) {
    if (value.equals("lmetric")) {
      config.put("routing.selection", "lmetric");
    } else if (!value.equals("default")) {
      config.note("dynamo --router-selection-policy " + value + ": unknown, left out.");
    }
  }
}

package io.orrery.cli.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.engine.scheduler.SchedulerSettings;
import io.orrery.engine.scheduler.Sequence;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The inputs of one recorded vLLM scenario: settings, requests by arrival, aborts. */
final class VllmScenario {
  /** A request's end before its time. */
  record Abort(String id, int step, boolean beforeSchedule) {}

  private final SchedulerSettings settings;
  private final boolean emptyBatchReturns;
  private final List<String> ids = new ArrayList<>();
  private final List<JsonNode> requests = new ArrayList<>();
  private final List<Abort> aborts = new ArrayList<>();
  private final Map<String, Integer> rankById = new HashMap<>();

  VllmScenario(JsonNode scenario) {
    JsonNode config = scenario.path("config");
    // Recordings of the newer version carry the watermark setting, which the older one did not
    // have.
    boolean since2026June = config.has("watermark");
    emptyBatchReturns = since2026June;
    settings =
        new SchedulerSettings(
            config.path("block_size").intValue(),
            config.path("num_blocks").intValue(),
            config.path("max_num_batched_tokens").intValue(),
            config.path("max_num_seqs").intValue(),
            config.path("max_model_len").intValue(),
            config.path("long_prefill_token_threshold").intValue(),
            config.path("enable_prefix_caching").booleanValue(),
            config.path("enable_chunked_prefill").booleanValue(),
            config.path("policy").asText().equals("priority"),
            config.path("scheduler_reserve_full_isl").booleanValue(),
            config.path("async_scheduling").booleanValue(),
            config.path("watermark").doubleValue(),
            since2026June,
            !since2026June);
    for (JsonNode request : scenario.path("requests")) {
      if (!request.path("never_arrived").booleanValue()) {
        requests.add(request);
      }
    }
    requests.sort(Comparator.comparingInt(r -> r.path("order").intValue()));
    requests.forEach(r -> ids.add(r.path("id").asText()));
    List<String> sorted = new ArrayList<>(ids);
    sorted.sort(Comparator.naturalOrder());
    for (int rank = 0; rank < sorted.size(); rank++) {
      rankById.put(sorted.get(rank), rank);
    }
    for (JsonNode abort : scenario.path("aborts")) {
      aborts.add(
          new Abort(
              abort.path("id").asText(),
              abort.path("step").intValue(),
              abort.path("when").asText().equals("before")));
    }
  }

  SchedulerSettings settings() {
    return settings;
  }

  /** Whether an empty batch beside none in flight lets the loop go on while requests remain. */
  boolean emptyBatchReturns() {
    return emptyBatchReturns;
  }

  int requestCount() {
    return ids.size();
  }

  String id(int request) {
    return ids.get(request);
  }

  int arrivalStep(int request) {
    return requests.get(request).path("arrival_step").intValue();
  }

  List<Abort> aborts() {
    return aborts;
  }

  Sequence newSequence(int request) {
    JsonNode node = requests.get(request);
    Sequence sequence = new Sequence();
    sequence.reset(request);
    sequence.promptTokens = node.path("prompt_len").intValue();
    sequence.maxOutputTokens = node.path("max_tokens").intValue();
    if (node.path("finish").asText().equals("stop")) {
      sequence.stopAfter = node.path("output_len").intValue();
    }
    sequence.priority = node.path("priority").intValue();
    sequence.arrivalTime = node.path("arrival_time").doubleValue();
    sequence.tieRank = rankById.getOrDefault(id(request), 0);
    sequence.skipCacheRead = node.path("skip_cache_read").booleanValue();
    for (JsonNode key : node.path("keys")) {
      sequence.keys.addRun(key.longValue(), 1);
    }
    return sequence;
  }
}

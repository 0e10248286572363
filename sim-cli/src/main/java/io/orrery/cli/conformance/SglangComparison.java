package io.orrery.cli.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Compares the radix cache and the queue order with one recorded SGLang scenario.
 *
 * <p>Compared per cache operation: tokens matched, matched again and held before an insertion,
 * nodes evicted in order, tokens evicted, and afterwards evictable and locked tokens, nodes,
 * evictable leaves, tokens freed so far. Compared per queue, which counts as one step: the order,
 * and what was matched of each request.
 */
final class SglangComparison implements Comparison {
  private static final List<String> INPUTS =
      List.of("op", "id", "key", "match_limit", "prio", "evict_req", "n");

  private long steps;

  @Override
  public boolean accepts(JsonNode scenario) {
    return scenario.path("page_size").isInt()
        && (isRadix(scenario)
            ? scenario.path("ops").isArray()
            : scenario.path("kind").asText().equals("policy") && scenario.path("order").isArray());
  }

  @Override
  public long steps() {
    return steps;
  }

  @Override
  public @Nullable String firstDifference(JsonNode scenario) {
    String name = scenario.path("policy").asText() + " " + scenario.path("seed").asText();
    if (!isRadix(scenario)) {
      steps++;
      ObjectNode found = QueueOrderReplay.run(scenario);
      ObjectNode recorded = found.objectNode();
      found.fieldNames().forEachRemaining(field -> recorded.set(field, scenario.path(field)));
      String difference = Facts.difference(found, recorded);
      return difference == null ? null : name + " " + difference;
    }
    RadixReplay replay = new RadixReplay(scenario);
    int n = 0;
    for (JsonNode operation : scenario.path("ops")) {
      steps++;
      ObjectNode recorded = operation.deepCopy();
      recorded.remove(INPUTS);
      String difference = Facts.difference(replay.step(operation), recorded);
      if (difference != null) {
        return name + " operation " + n + ": " + difference;
      }
      n++;
    }
    return null;
  }

  private static boolean isRadix(JsonNode scenario) {
    return scenario.path("kind").asText().equals("radix");
  }
}

package io.orrery.cli.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Compares {@link VllmReplay} with one recorded vLLM scenario.
 *
 * <p>Compared per step: arrivals, both queues before scheduling, the schedule (order, kind, prefix
 * hit, tokens, blocks held), preemptions, look-ups, failed allocations, keys given and evicted with
 * their blocks in order, free blocks, the whole free queue (by checksum), tokens, finishes with
 * reasons and the engine's own cache statistics. Compared at the end: both queues, the free queue,
 * the requests without an end, and that no work is left unless the recording says that it was cut
 * short. What is not compared is listed in {@code docs/scheduler-conformance.md}.
 */
final class VllmComparison implements Comparison {
  private static final List<String> GROUPED = List.of("t", "a", "f");

  private long steps;

  @Override
  public boolean accepts(JsonNode scenario) {
    return scenario.path("steps").isArray()
        && scenario.path("config").has("max_num_batched_tokens");
  }

  @Override
  public long steps() {
    return steps;
  }

  @Override
  public @Nullable String firstDifference(JsonNode scenario) {
    VllmReplay replay = new VllmReplay(new VllmScenario(scenario));
    String name = scenario.path("name").asText();
    int n = 0;
    for (JsonNode expected : scenario.path("steps")) {
      int number = expected.path("n").intValue();
      for (; n < number; n++) {
        ObjectNode extra = replay.step(n);
        if (extra != null) {
          return name + " step " + n + ": found " + extra + ", recorded nothing";
        }
      }
      ObjectNode found = replay.step(n++);
      steps++;
      if (found == null) {
        return name + " step " + number + ": found nothing, recorded " + expected;
      }
      String difference = Facts.difference(found, normalised(expected));
      if (difference != null) {
        return name + " step " + number + ": " + difference;
      }
    }
    boolean mayStopEarly =
        scenario.path("stuck").booleanValue()
            || scenario.path("cut").booleanValue()
            || scenario.has("max_steps");
    if (!mayStopEarly && replay.hasWork()) {
      return name + " after step " + (n - 1) + ": found work that is left, recorded nothing";
    }
    JsonNode last = scenario.path("final");
    ObjectNode state = replay.finalState();
    for (String field : List.of("running", "waiting", "freeq", "unfinished")) {
      if (!state.path(field).equals(last.path(field))) {
        return name
            + " final "
            + field
            + ": found "
            + state.path(field)
            + ", recorded "
            + last.path(field);
      }
    }
    return null;
  }

  /** The recorded step with block events one by one and without what is not compared. */
  private static ObjectNode normalised(JsonNode step) {
    ObjectNode out = step.deepCopy();
    out.remove(List.of("abort", "abort_mid", "freeq"));
    for (String part : List.of("s", "u")) {
      if (out.get(part) instanceof ObjectNode facts) {
        facts.remove("common_prefix_blocks");
        facts.set("ev", singleEvents(facts.path("ev")));
      }
    }
    return out;
  }

  private static ArrayNode singleEvents(JsonNode events) {
    ArrayNode out = JsonNodeFactory.instance.arrayNode();
    for (JsonNode event : events) {
      String kind = event.path(0).asText();
      if (kind.equals("s")) {
        for (int i = 0; i < event.path(3).size(); i++) {
          out.addArray()
              .add("s")
              .add(event.path(3).path(i).longValue())
              .add(event.path(4).path(i).intValue());
        }
      } else if (kind.equals("e")) {
        out.addArray().add("e").add(event.path(1).longValue()).add(event.path(2).intValue());
      } else if (!GROUPED.contains(kind)) {
        out.add(event);
      }
    }
    return out;
  }
}

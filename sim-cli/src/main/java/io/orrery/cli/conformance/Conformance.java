package io.orrery.cli.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Replays recorded scenarios and counts those that agree in every step.
 *
 * <p>Compared per step: arrivals, both queues before scheduling, the schedule (order, kind, prefix
 * hit, tokens, blocks held), preemptions, look-ups, failed allocations, keys given and evicted with
 * their blocks in order, free blocks, the whole free queue (by checksum), tokens, finishes with
 * reasons and the engine's own cache statistics. Not compared: {@code common_prefix_blocks}, which
 * decides nothing.
 */
public final class Conformance {
  /**
   * What a comparison found.
   *
   * @param scenarios scenarios read
   * @param equal scenarios that agree in every step and in the final state
   * @param steps steps compared
   * @param firstDifference the first fact that differs, or null
   */
  public record Result(int scenarios, int equal, long steps, @Nullable String firstDifference) {
    /** The sum of two results. */
    public Result plus(Result other) {
      return new Result(
          scenarios + other.scenarios,
          equal + other.equal,
          steps + other.steps,
          firstDifference != null ? firstDifference : other.firstDifference);
    }
  }

  private static final List<String> GROUPED = List.of("t", "a", "f");

  private final ObjectMapper mapper = new ObjectMapper();
  private int scenarios;
  private int equal;
  private long steps;
  private @Nullable String firstDifference;

  /**
   * Compares every scenario of a recording.
   *
   * @param name stands for the recording in messages
   * @throws IOException if it cannot be read
   * @throws IllegalArgumentException if a line is not a vLLM scenario; the message names file and
   *     line
   */
  public Result compare(String name, BufferedReader lines) throws IOException {
    scenarios = 0;
    equal = 0;
    steps = 0;
    firstDifference = null;
    int number = 0;
    String line;
    while ((line = lines.readLine()) != null) {
      number++;
      if (line.isBlank()) {
        continue;
      }
      JsonNode scenario;
      try {
        scenario = mapper.readTree(line);
      } catch (IOException e) {
        throw new IllegalArgumentException(
            name + ":" + number + ": not JSON, expected one scenario a line", e);
      }
      if (!scenario.path("steps").isArray()
          || !scenario.path("config").has("max_num_batched_tokens")) {
        throw new IllegalArgumentException(
            name
                + ":"
                + number
                + ": not a vLLM scheduler recording, expected fields config, requests and steps");
      }
      scenarios++;
      String difference = compare(scenario);
      if (difference == null) {
        equal++;
      } else if (firstDifference == null) {
        firstDifference =
            name + ":" + number + ": " + scenario.path("name").asText() + " " + difference;
      }
    }
    return new Result(scenarios, equal, steps, firstDifference);
  }

  private @Nullable String compare(JsonNode scenario) {
    VllmReplay replay = new VllmReplay(new VllmScenario(scenario));
    int n = 0;
    for (JsonNode expected : scenario.path("steps")) {
      int number = expected.path("n").intValue();
      for (; n < number; n++) {
        ObjectNode extra = replay.step(n);
        if (extra != null) {
          return "step " + n + ": found " + extra + ", recorded nothing";
        }
      }
      ObjectNode found = replay.step(n++);
      steps++;
      if (found == null) {
        return "step " + number + ": found nothing, recorded " + expected;
      }
      String difference = difference(found, normalised(expected));
      if (difference != null) {
        return "step " + number + ": " + difference;
      }
    }
    JsonNode last = scenario.path("final");
    ObjectNode state = replay.finalState();
    for (String field : List.of("running", "waiting", "freeq")) {
      if (!state.path(field).equals(last.path(field))) {
        return "final " + field + ": found " + state.path(field) + ", recorded " + last.path(field);
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

  private static @Nullable String difference(ObjectNode found, ObjectNode expected) {
    TreeSet<String> fields = new TreeSet<>();
    found.fieldNames().forEachRemaining(fields::add);
    expected.fieldNames().forEachRemaining(fields::add);
    for (String field : fields) {
      JsonNode a = found.path(field);
      JsonNode b = expected.path(field);
      if (a instanceof ObjectNode x && b instanceof ObjectNode y) {
        String inner = difference(x, y);
        if (inner != null) {
          return field + "." + inner;
        }
      } else if (!same(a, b)) {
        return field + ": found " + a + ", recorded " + b;
      }
    }
    return null;
  }

  private static boolean same(JsonNode a, JsonNode b) {
    if (a.isIntegralNumber() && b.isIntegralNumber()) {
      return a.longValue() == b.longValue();
    }
    if (a.isArray() && b.isArray()) {
      if (a.size() != b.size()) {
        return false;
      }
      for (int i = 0; i < a.size(); i++) {
        if (!same(a.get(i), b.get(i))) {
          return false;
        }
      }
      return true;
    }
    return a.equals(b);
  }
}

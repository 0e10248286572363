package io.orrery.traces.synthesis;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What is known of a corpus of sessions: distributions, shares and common prefixes, read from a
 * data file beside this class that gives unit and source of each.
 */
final class SessionStatistics {
  private final String name;
  private final JsonNode root;

  private SessionStatistics(String name, JsonNode root) {
    this.name = name;
    this.root = root;
  }

  /** The Claude Code sessions of kv-cache-tester. */
  static SessionStatistics claudeCode() {
    return read("claude-code.json");
  }

  /** Short conversations, for tests of scale. */
  static SessionStatistics chat() {
    return read("chat.json");
  }

  private static SessionStatistics read(String name) {
    try (InputStream in = SessionStatistics.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException(name + ": missing beside " + SessionStatistics.class);
      }
      return new SessionStatistics(name, new ObjectMapper().readTree(in));
    } catch (IOException e) {
      throw new UncheckedIOException(name, e);
    }
  }

  QuantileCurve curve(String key) {
    JsonNode knots = entry("curves", key).path("knots");
    double[] probabilities = new double[knots.size()];
    double[] values = new double[knots.size()];
    for (int i = 0; i < values.length; i++) {
      probabilities[i] = knots.get(i).get(0).doubleValue();
      values[i] = knots.get(i).get(1).doubleValue();
    }
    return new QuantileCurve(probabilities, values);
  }

  double share(String key) {
    return entry("shares", key).path("value").doubleValue();
  }

  /** The prefixes of the sessions; their shares sum to 1. */
  List<SharedPrefix> prefixes() {
    List<SharedPrefix> prefixes = new ArrayList<>();
    for (JsonNode value : root.path("prefixes").path("values")) {
      prefixes.add(prefix(value));
    }
    return prefixes;
  }

  SharedPrefix subAgentPrefix() {
    return prefix(root.path("subAgentPrefix").path("value"));
  }

  private static SharedPrefix prefix(JsonNode value) {
    return new SharedPrefix(
        value.path("model").textValue(),
        value.path("tool_tokens").intValue(),
        value.path("system_tokens").intValue(),
        value.path("share").doubleValue());
  }

  private JsonNode entry(String group, String key) {
    JsonNode entry = root.path(group).path(key);
    if (entry.isMissingNode()) {
      throw new IllegalArgumentException(name + ": no " + key + " in " + group);
    }
    return entry;
  }
}

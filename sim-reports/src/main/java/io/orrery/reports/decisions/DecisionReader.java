package io.orrery.reports.decisions;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.orrery.engine.RequestState;
import io.orrery.engine.record.Decision;
import io.orrery.engine.routing.DecisionTerms;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads decisions back that were written as lines of JSON. */
public final class DecisionReader {
  private static final Set<String> NO_TERMS =
      Set.of("worker", "cost", "believed_blocks", "held_blocks", "first_token_ms");

  private final JsonFactory factory = new JsonFactory();

  /** A decision and the name of its run. */
  public record Named(String run, DecisionRow row) {}

  /**
   * All decisions about a request, in the order of the file.
   *
   * @param request the request's id in the trace
   * @throws IOException if a line is no decision; the message says which
   */
  public List<Named> about(BufferedReader lines, String request) throws IOException {
    return about(lines, Set.of(request));
  }

  /**
   * All decisions about some requests, in the order of the file.
   *
   * @param requests ids in the trace
   * @throws IOException if a line is no decision; the message says which
   */
  public List<Named> about(BufferedReader lines, Set<String> requests) throws IOException {
    List<Named> found = new ArrayList<>();
    String line;
    int number = 0;
    while ((line = lines.readLine()) != null) {
      number++;
      if (requests.stream().noneMatch(line::contains)) {
        continue;
      }
      try {
        Map<String, Object> object = object(line);
        if (object.get("request") instanceof String request && requests.contains(request)) {
          found.add(new Named(String.valueOf(object.get("run")), row(object)));
        }
      } catch (IOException | ClassCastException | NullPointerException e) {
        throw new IOException("line " + number + ": found no decision", e);
      }
    }
    return found;
  }

  private Map<String, Object> object(String line) throws IOException {
    try (JsonParser json = factory.createParser(line)) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        throw new IOException("found no object");
      }
      return fields(json);
    }
  }

  private static Map<String, Object> fields(JsonParser json) throws IOException {
    Map<String, Object> fields = new LinkedHashMap<>();
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String name = json.currentName();
      JsonToken token = json.nextToken();
      if (token == JsonToken.START_ARRAY) {
        List<Object> items = new ArrayList<>();
        while (json.nextToken() == JsonToken.START_OBJECT) {
          items.add(fields(json));
        }
        fields.put(name, items);
      } else if (token != null && token.isNumeric()) {
        fields.put(name, json.getDoubleValue());
      } else {
        fields.put(name, json.getText());
      }
    }
    return fields;
  }

  @SuppressWarnings("unchecked")
  private static DecisionRow row(Map<String, Object> object) throws IOException {
    List<Map<String, Object>> candidates =
        (List<Map<String, Object>>) required(object, "candidates");
    int size = candidates.size();
    int[] workers = new int[size];
    int[] believed = new int[size];
    int[] held = new int[size];
    long[] firstToken = new long[size];
    DecisionTerms terms = new DecisionTerms(size);
    int choice = 0;
    for (int i = 0; i < size; i++) {
      Map<String, Object> candidate = candidates.get(i);
      workers[i] = integer(candidate, "worker", -1);
      believed[i] = integer(candidate, "believed_blocks", -1);
      held[i] = integer(candidate, "held_blocks", 0);
      firstToken[i] = nanos(candidate, "first_token_ms");
      for (Map.Entry<String, Object> term : candidate.entrySet()) {
        if (!NO_TERMS.contains(term.getKey())) {
          terms.put(i, term.getKey(), (Double) term.getValue());
        }
      }
      if (candidate.get("cost") instanceof Double cost) {
        terms.cost(i, cost);
      }
      choice = workers[i] == integer(object, "chosen", -1) ? i : choice;
    }
    Decision decision =
        new Decision(
            0,
            nanos(object, "time_ms"),
            integer(object, "replica", 0),
            workers,
            terms,
            believed,
            held,
            firstToken,
            choice,
            integer(object, "worker", -1));
    return new DecisionRow(
        (String) required(object, "request"),
        (String) required(object, "session"),
        integer(object, "copy", 0),
        integer(object, "input_tokens", 0),
        integer(object, "block_size", 1),
        nanos(object, "arrival_ms"),
        (String) object.get("pause_reason"),
        nanos(object, "pause_ms"),
        (String) object.get("router_wait_reason"),
        nanos(object, "router_wait_ms"),
        decision,
        integer(object, "found_tokens", -1),
        outcome((String) required(object, "outcome")));
  }

  private static Object required(Map<String, Object> object, String name) throws IOException {
    Object value = object.get(name);
    if (value == null) {
      throw new IOException("found no " + name);
    }
    return value;
  }

  private static int integer(Map<String, Object> object, String name, int otherwise) {
    return object.get(name) instanceof Double number ? (int) Math.rint(number) : otherwise;
  }

  private static long nanos(Map<String, Object> object, String name) {
    return object.get(name) instanceof Double number ? Math.round(number * 1e6) : 0;
  }

  private static @Nullable RequestState outcome(String text) {
    for (RequestState state : RequestState.values()) {
      if (state.name().toLowerCase(Locale.ROOT).equals(text)) {
        return state;
      }
    }
    return null;
  }
}

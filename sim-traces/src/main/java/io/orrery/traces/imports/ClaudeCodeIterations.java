package io.orrery.traces.imports;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Answers that were several calls on the provider's side, since the model used tools there: the
 * usage of such an answer is the sum of its iterations, and leaves out those of an advisor, which
 * is another model with a prompt of its own. Each iteration becomes a call; what continues the
 * answer continues the last of them. Of their times only the answer's start and end are known.
 */
final class ClaudeCodeIterations {
  private static final String ADVISOR = "advisor_message";

  private final Map<LoggedCall, JsonNode> told = new HashMap<>();

  /** The last advisor call of each model, since its next prompt continues it. */
  private final Map<String, LoggedCall> advisors = new HashMap<>();

  /** Of lines that tell the same answer the one with the most iterations counts. */
  void take(LoggedCall call, JsonNode iterations) {
    JsonNode before = told.get(call);
    if (iterations.isArray() && (before == null || iterations.size() > before.size())) {
      told.put(call, iterations);
    }
  }

  void split(LoggedSession session) {
    List<LoggedCall> calls = new ArrayList<>();
    advisors.clear();
    for (LoggedCall call : session.calls) {
      JsonNode iterations = told.get(call);
      if (iterations != null) {
        split(call, iterations, calls);
      }
      calls.add(call);
    }
    session.calls.clear();
    session.calls.addAll(calls);
  }

  /** Adds all but the last iteration of the model itself, which the call becomes. */
  private void split(LoggedCall call, JsonNode iterations, List<LoggedCall> calls) {
    List<JsonNode> used = new ArrayList<>();
    int last = -1;
    for (JsonNode iteration : iterations) {
      if (input(iteration) > 0) {
        last = isAdvice(iteration) ? last : used.size();
        used.add(iteration);
      }
    }
    if (last < 0 || used.size() < 2) {
      return;
    }
    for (int i = 0; i < used.size(); i++) {
      if (i != last) {
        LoggedCall part = part(call, used.get(i), calls.size());
        if (isAdvice(used.get(i))) {
          part.basis = advisors.put(String.valueOf(part.model), part);
          part.apart = true;
        } else {
          part.basis = call.basis;
          call.basis = part;
        }
        calls.add(part);
      }
    }
    fill(call, used.get(last));
  }

  private static boolean isAdvice(JsonNode iteration) {
    return iteration.path("type").asText().equals(ADVISOR);
  }

  private static LoggedCall part(LoggedCall call, JsonNode iteration, int number) {
    LoggedCall part = new LoggedCall(call.key + "#" + number, call.place);
    part.model = call.model;
    part.times(call.startMillis, call.endMillis);
    fill(part, iteration);
    return part;
  }

  private static void fill(LoggedCall call, JsonNode iteration) {
    call.model = iteration.path("model").asText(call.model);
    call.timesShared = true;
    call.input = input(iteration);
    call.cached = JsonLog.tokens(iteration.path("cache_read_input_tokens"));
    call.output = JsonLog.tokens(iteration.path("output_tokens"));
  }

  private static long input(JsonNode iteration) {
    return JsonLog.tokens(iteration.path("input_tokens"))
        + JsonLog.tokens(iteration.path("cache_creation_input_tokens"))
        + JsonLog.tokens(iteration.path("cache_read_input_tokens"));
  }
}

package io.orrery.cli.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.orrery.traces.TraceException;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Replays recorded scenarios and counts those that agree in every step. What is compared is said by
 * {@link VllmComparison} and {@link SglangComparison}.
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

  private static final Pattern REASON = Pattern.compile("(.+?): found (.+), expected (.+)");

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
   * @throws TraceException if a line is no recorded scenario
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
        throw new TraceException(
            name, number, null, "a line that is not JSON", "one recorded scenario a line");
      }
      scenarios++;
      String difference = compare(scenario, name, number);
      if (difference == null) {
        equal++;
      } else if (firstDifference == null) {
        firstDifference = name + ":" + number + ": " + difference;
      }
    }
    return new Result(scenarios, equal, steps, firstDifference);
  }

  private @Nullable String compare(JsonNode scenario, String name, int line) {
    for (Comparison comparison : List.of(new VllmComparison(), new SglangComparison())) {
      if (comparison.accepts(scenario)) {
        String difference;
        try {
          difference = comparison.firstDifference(scenario);
        } catch (IllegalArgumentException e) {
          throw refusal(name, line, String.valueOf(e.getMessage()));
        }
        steps += comparison.steps();
        return difference;
      }
    }
    throw new TraceException(
        name,
        line,
        null,
        "no scheduler recording",
        "vLLM's fields config, requests and steps, or SGLang's kind, page_size and ops or order");
  }

  /** Refuses an input that cannot be replayed, whose parts are named in {@code reason}. */
  private static TraceException refusal(String name, int line, String reason) {
    Matcher parts = REASON.matcher(reason);
    return parts.matches()
        ? new TraceException(name, line, parts.group(1), parts.group(2), parts.group(3))
        : new TraceException(name, line, null, reason, "a scenario that can be replayed");
  }
}

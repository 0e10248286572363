package io.orrery.cli.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.List;
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
   * @throws IllegalArgumentException if a line is no recorded scenario; the message names file and
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
      scenarios++;
      String difference = compare(scenario, name + ":" + number + ": ");
      if (difference == null) {
        equal++;
      } else if (firstDifference == null) {
        firstDifference = name + ":" + number + ": " + difference;
      }
    }
    return new Result(scenarios, equal, steps, firstDifference);
  }

  private @Nullable String compare(JsonNode scenario, String where) {
    for (Comparison comparison : List.of(new VllmComparison(), new SglangComparison())) {
      if (comparison.accepts(scenario)) {
        String difference;
        try {
          difference = comparison.firstDifference(scenario);
        } catch (IllegalArgumentException e) {
          throw new IllegalArgumentException(where + e.getMessage(), e);
        }
        steps += comparison.steps();
        return difference;
      }
    }
    throw new IllegalArgumentException(
        where
            + "not a scheduler recording, expected vLLM's fields config, requests and steps, or"
            + " SGLang's kind, page_size and ops or order");
  }
}

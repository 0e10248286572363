package io.orrery.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The summaries of a scenario's variants, by name. */
record Summaries(Map<String, JsonNode> byName) {
  /** Runs a scenario, with options if there are any. */
  static Summaries of(String scenario, String... options) {
    List<String> words = new ArrayList<>(List.of("run", scenario, "--json"));
    words.addAll(List.of(options));
    Map<String, JsonNode> summaries = new LinkedHashMap<>();
    Orrery.run(words.toArray(String[]::new))
        .json()
        .at("/runs")
        .forEach(run -> summaries.put(run.at("/name").asText(), run.at("/summary")));
    return new Summaries(summaries);
  }

  /** A metric, as {@code /hit_rate/tokens}; it has to be there. */
  double number(String variant, String metric) {
    JsonNode number = byName.get(variant).at(metric);
    assertThat(number.isNumber()).as(variant + metric).isTrue();
    return number.doubleValue();
  }
}

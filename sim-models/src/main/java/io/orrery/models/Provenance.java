package io.orrery.models;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Where the values of one named thing come from.
 *
 * @param name the thing's name
 * @param remarks low-confidence remarks about the whole thing
 * @param facts field to fact, in file order
 */
public record Provenance(String name, List<String> remarks, Map<String, Fact> facts) {

  /** What to tell the user about values that are assumed, in file order. */
  public List<String> lowConfidenceNotes() {
    return lowConfidenceNotes(field -> true);
  }

  /**
   * What to tell the user about the whole thing, and about the assumed values among some fields, in
   * file order.
   */
  public List<String> lowConfidenceNotes(Predicate<String> fields) {
    List<String> notes = new ArrayList<>();
    for (String remark : remarks) {
      notes.add(name + ": low confidence: " + remark);
    }
    facts.forEach(
        (field, fact) -> {
          if (fact.lowConfidence() && fields.test(field)) {
            notes.add(
                String.format(
                    Locale.ROOT,
                    "%s: low confidence: %s = %s is %s (%s)",
                    name,
                    field,
                    fact.value(),
                    fact.note(),
                    fact.source()));
          }
        });
    return List.copyOf(notes);
  }

  /** Field to source, in file order. */
  public Map<String, String> sources() {
    Map<String, String> sources = new LinkedHashMap<>();
    facts.forEach((field, fact) -> sources.put(field, fact.source()));
    return sources;
  }
}

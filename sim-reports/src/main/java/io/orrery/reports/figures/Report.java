package io.orrery.reports.figures;

import io.orrery.reports.chart.Chart;
import java.util.List;

/**
 * All that a reader is told of an experiment, as data; every form of the report is made of it.
 *
 * @param title the scenario's name
 * @param setting what was simulated, in a sentence
 * @param lead what came out, in a sentence or two
 * @param conclusions what follows from it, a sentence or two each; may be empty
 * @param variants what was compared, in the order of colours
 * @param overview the most important numbers of every variant
 * @param assumptions what was decided or assumed on the user's behalf, a sentence each
 * @param provenance program, seeds and digests, name and value
 */
public record Report(
    String title,
    String setting,
    String lead,
    List<String> conclusions,
    List<String> variants,
    Table overview,
    List<Section> sections,
    List<String> assumptions,
    List<Fact> provenance) {
  /** A fact of the provenance. */
  public record Fact(String name, String value) {}

  public Report {
    conclusions = List.copyOf(conclusions);
    variants = List.copyOf(variants);
    sections = List.copyOf(sections);
    assumptions = List.copyOf(assumptions);
    provenance = List.copyOf(provenance);
  }

  /** All charts, in the order of the sections. */
  public List<Chart> charts() {
    return sections.stream().flatMap(section -> section.charts().stream()).toList();
  }
}

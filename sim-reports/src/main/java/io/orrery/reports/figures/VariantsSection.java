package io.orrery.reports.figures;

import io.orrery.engine.admission.AdmissionPolicies;
import io.orrery.engine.policy.PolicyFactory;
import io.orrery.engine.policy.PolicyParameter;
import io.orrery.engine.routing.RoutingPolicies;
import io.orrery.reports.RunReport;
import io.orrery.reports.chart.Figures;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the variants are: the settings in which they differ, and what their policies do. */
final class VariantsSection {
  private static final String ROUTING = "routing.policy";
  private static final String ADMISSION = "admission.policy";

  private final List<String> names = new ArrayList<>();
  private final List<Map<String, String>> settings = new ArrayList<>();

  VariantsSection(List<RunReport> runs) {
    for (RunReport run : runs) {
      names.add(run.name());
      Map<String, String> flat = new LinkedHashMap<>();
      flatten("", run.config(), flat);
      flat.remove("seed");
      settings.add(flat);
    }
  }

  private static void flatten(String prefix, Object value, Map<String, String> flat) {
    if (value instanceof Map<?, ?> map) {
      map.forEach(
          (name, inner) ->
              flatten(prefix.isEmpty() ? name + "" : prefix + "." + name, inner, flat));
    } else if (value instanceof List<?> list && list.stream().anyMatch(Map.class::isInstance)) {
      for (int i = 0; i < list.size(); i++) {
        flatten(prefix + "[" + i + "]", list.get(i), flat);
      }
    } else {
      flat.put(prefix, String.valueOf(value));
    }
  }

  Section section() {
    List<Table> tables = new ArrayList<>();
    Table policies = policies();
    if (!policies.rows().isEmpty()) {
      tables.add(policies);
    }
    Table differences = differences();
    if (!differences.rows().isEmpty()) {
      tables.add(differences);
    }
    tables.addAll(parameters());
    return new Section("variants", "What was compared", lead(differences), List.of(), tables);
  }

  private String lead(Table differences) {
    if (names.size() == 1) {
      return "One configuration; every setting of it is in run.yaml.";
    }
    if (differences.rows().isEmpty()) {
      return "The variants are configured alike.";
    }
    return "Every variant replays the same sessions; they differ in what follows, and in nothing"
        + " else.";
  }

  /** The settings whose values are not the same everywhere. */
  private Table differences() {
    Set<String> keys = new LinkedHashSet<>();
    settings.forEach(flat -> keys.addAll(flat.keySet()));
    List<String> header = new ArrayList<>();
    header.add("setting");
    header.addAll(names);
    List<List<String>> rows = new ArrayList<>();
    for (String key : keys) {
      List<String> row = new ArrayList<>();
      settings.forEach(flat -> row.add(flat.getOrDefault(key, Figures.UNKNOWN)));
      if (row.stream().distinct().count() > 1) {
        row.add(0, key);
        rows.add(row);
      }
    }
    return Table.of("variants-settings", "Settings that differ", header, rows);
  }

  private Table policies() {
    List<List<String>> rows = new ArrayList<>();
    for (String key : List.of(ROUTING, ADMISSION)) {
      settings.stream()
          .map(flat -> flat.getOrDefault(key, ""))
          .distinct()
          .forEach(
              name ->
                  all(key)
                      .filter(policy -> policy.name().equals(name))
                      .findFirst()
                      .ifPresent(
                          policy ->
                              rows.add(List.of(key, name, with(key, name), policy.summary()))));
    }
    return Table.of(
        "variants-policies",
        "Policies",
        List.of("setting", "policy", "in variants", "what it does"),
        rows);
  }

  /** What each policy was told, with its own value where nothing was said. */
  private List<Table> parameters() {
    List<Table> tables = new ArrayList<>();
    for (String key : List.of(ROUTING, ADMISSION)) {
      all(key)
          .filter(policy -> !policy.parameters().isEmpty())
          .filter(policy -> settings.stream().anyMatch(flat -> has(flat, key, policy.name())))
          .forEach(policy -> tables.add(parameters(key, policy)));
    }
    return tables;
  }

  private Table parameters(String key, PolicyFactory policy) {
    String group = key.substring(0, key.indexOf('.') + 1);
    List<List<String>> rows = new ArrayList<>();
    for (PolicyParameter parameter : policy.parameters()) {
      String values =
          settings.stream()
              .filter(flat -> has(flat, key, policy.name()))
              .map(flat -> flat.getOrDefault(group + parameter.name(), parameter.defaultValue()))
              .distinct()
              .collect(Collectors.joining(" / "));
      rows.add(List.of(group + parameter.name(), values, parameter.summary()));
    }
    return new Table(
        "parameters-" + SafeNames.id(policy.name()) + "-" + group.replace(".", ""),
        "Settings of policy " + policy.name() + " (" + with(key, policy.name()) + ")",
        true,
        List.of("setting", "value", "what it does"),
        rows,
        List.of());
  }

  private static boolean has(Map<String, String> flat, String key, String policy) {
    return flat.getOrDefault(key, "").equals(policy);
  }

  /** The variants with a policy. */
  private String with(String key, String policy) {
    List<String> with = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      if (has(settings.get(i), key, policy)) {
        with.add(names.get(i));
      }
    }
    return with.size() == names.size() && with.size() > 1 ? "all" : String.join(", ", with);
  }

  private static Stream<? extends PolicyFactory> all(String key) {
    return key.equals(ROUTING) ? RoutingPolicies.all().stream() : AdmissionPolicies.all().stream();
  }
}

package io.orrery.cli;

import io.orrery.engine.admission.AdmissionPolicies;
import io.orrery.engine.policy.PolicyFactory;
import io.orrery.engine.policy.PolicyParameter;
import io.orrery.engine.policy.PolicyParameters;
import io.orrery.engine.routing.RoutingPolicies;
import io.orrery.models.Names;
import io.orrery.reports.JsonText;
import io.orrery.reports.console.Paragraph;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The routing and admission policies, or all parameters of one. */
@Command(
    name = "policies",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = "Show the routing and admission policies, or every parameter of one.",
    footer = {"", "Example:", "  orrery catalog policies kv-aware"})
final class CatalogPoliciesCommand implements Callable<Integer> {
  private static final int SCHEMA_VERSION = 1;
  private static final int WIDTH = 100;

  @Parameters(arity = "0..1", paramLabel = "NAME", description = "A policy, as kv-aware.")
  private @Nullable String name;

  @Option(names = "--json", description = "Print one JSON document with every parameter.")
  private boolean json;

  @Mixin Plugins plugins = new Plugins();

  private final Console console;

  CatalogPoliciesCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    List<PolicyFactory> routing = chosen(RoutingPolicies.all());
    List<PolicyFactory> admission = chosen(AdmissionPolicies.all());
    if (routing.isEmpty() && admission.isEmpty()) {
      throw unknown(String.valueOf(name));
    }
    if (json) {
      console.out().print(document(routing, admission));
    } else if (name == null) {
      console.out().print("Routing\n" + list(routing) + "\nAdmission\n" + list(admission));
    } else {
      Stream.concat(routing.stream(), admission.stream())
          .forEach(policy -> console.out().print(described(policy)));
    }
    console.out().flush();
    return 0;
  }

  private List<PolicyFactory> chosen(List<? extends PolicyFactory> all) {
    List<PolicyFactory> chosen = new ArrayList<>();
    for (PolicyFactory policy : all) {
      if (name == null || policy.name().equals(name)) {
        chosen.add(policy);
      }
    }
    return chosen;
  }

  /** Says which there are, and the nearest. */
  private static UsageException unknown(String wanted) {
    List<String> names = new ArrayList<>();
    RoutingPolicies.all().forEach(policy -> names.add(policy.name()));
    AdmissionPolicies.all().forEach(policy -> names.add(policy.name()));
    return new UsageException(
        "catalog policies: found "
            + wanted
            + ", expected one of "
            + String.join(", ", names)
            + Names.didYouMean(wanted, names));
  }

  private static String list(List<PolicyFactory> policies) {
    StringBuilder out = new StringBuilder();
    for (PolicyFactory policy : policies) {
      out.append("  ").append(policy.name()).append('\n');
      append(out, "      ", policy.summary());
    }
    return out.toString();
  }

  private static String described(PolicyFactory policy) {
    StringBuilder out = new StringBuilder();
    out.append(policy.kind().key()).append(".policy: ").append(policy.name()).append('\n');
    append(out, "  ", policy.summary());
    for (PolicyParameter parameter : policy.parameters()) {
      out.append("  ").append(parameter.name()).append(": ").append(parameter.defaultValue());
      out.append("   [").append(PolicyParameters.expected(parameter)).append("]\n");
      append(out, "      ", parameter.summary());
    }
    return out.toString();
  }

  private static void append(StringBuilder out, String indent, String text) {
    Paragraph.wrapped(text, WIDTH - indent.length())
        .lines()
        .forEach(line -> out.append(indent).append(line).append('\n'));
  }

  private static String document(List<PolicyFactory> routing, List<PolicyFactory> admission) {
    Map<String, Object> root = new LinkedHashMap<>();
    root.put("schemaVersion", SCHEMA_VERSION);
    root.put("routing", routing.stream().map(CatalogPoliciesCommand::object).toList());
    root.put("admission", admission.stream().map(CatalogPoliciesCommand::object).toList());
    return JsonText.of(root);
  }

  private static Map<String, Object> object(PolicyFactory policy) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("name", policy.name());
    object.put("summary", policy.summary());
    List<Object> parameters = new ArrayList<>();
    for (PolicyParameter parameter : policy.parameters()) {
      Map<String, Object> entry = new LinkedHashMap<>();
      entry.put("name", parameter.name());
      entry.put("default", parameter.defaultValue());
      entry.put("expected", PolicyParameters.expected(parameter));
      entry.put("summary", parameter.summary());
      parameters.add(entry);
    }
    object.put("parameters", parameters);
    return object;
  }
}

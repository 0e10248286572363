package io.orrery.scenarios;

import io.orrery.scenarios.schema.EnginePreset;
import io.orrery.scenarios.schema.ScenarioSchema;
import io.orrery.scenarios.schema.SchemaNode;
import io.orrery.scenarios.schema.SchemaNode.Absence;
import io.orrery.scenarios.text.CanonicalText;
import io.orrery.scenarios.text.KeyPath;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes what people read about the keys, from the schema: {@code defaults.yaml} and the reference
 * page.
 */
public final class ScenarioReference {
  private static final int WIDTH = 100;

  private final Overlay preset = Resolver.preset(EnginePreset.names()[0]);
  private final StringBuilder out = new StringBuilder();

  private ScenarioReference() {}

  /** A scenario that writes out every default, with a comment per key. */
  public static String defaultsYaml() {
    ScenarioReference reference = new ScenarioReference();
    reference.comment(
        "",
        "Every key of a scenario with its default; in brackets, what it may be. Generated from the"
            + " schema. A scenario need only write what differs. Keys without a default stand behind"
            + " \"#\".");
    for (SchemaNode node : ScenarioSchema.root().children()) {
      reference.out.append('\n');
      reference.yaml(node, KeyPath.ROOT.child(node.name()), "", "");
    }
    return reference.out.toString();
  }

  /** The reference page, in Markdown. */
  public static String markdown() {
    ScenarioReference reference = new ScenarioReference();
    reference.markdownPage();
    return reference.out.toString();
  }

  private void yaml(SchemaNode node, KeyPath path, String lead, String indent) {
    if (node instanceof SchemaNode.Key key) {
      comment(indent, key.description() + " [" + key.type().expected() + "]");
      String value = defaultText(key, path);
      out.append(value.isEmpty() ? indent + "# " : lead).append(key.name()).append(':');
      out.append(value.isEmpty() ? "\n" : " " + value + "\n");
    } else if (node instanceof SchemaNode.Section section) {
      comment(indent, section.description());
      out.append(lead).append(section.name()).append(":\n");
      children(section, path, indent + "  ", indent + "  ");
      if (section.parameters() != null) {
        comment(indent + "  ", section.parameters().description());
        out.append(indent).append("  # ").append(section.parameters().placeholder()).append(":\n");
      }
    } else if (node instanceof SchemaNode.ItemList list) {
      comment(indent, list.description());
      out.append(lead).append(list.name()).append(":\n");
      children(list.item(), path.index(0), indent + "  - ", indent + "    ");
    } else if (node instanceof SchemaNode.Apart apart) {
      comment(indent, apart.description());
      out.append("# ").append(apart.name()).append(": ").append(apart.form()).append('\n');
    }
  }

  /** The first child of a list's item stands behind the dash; its comment goes before it. */
  private void children(SchemaNode.Section section, KeyPath path, String firstLead, String indent) {
    String lead = firstLead;
    for (SchemaNode child : section.children()) {
      yaml(child, path.child(child.name()), lead, indent);
      lead = indent;
    }
  }

  private String defaultText(SchemaNode.Key key, KeyPath path) {
    if (key.absence() == Absence.PRESET) {
      return preset.get(path).map(s -> CanonicalText.yamlText(s.value())).orElse("");
    }
    return key.absence() == Absence.DEFAULT ? CanonicalText.yamlText(key.defaultValue()) : "";
  }

  private void comment(String indent, String text) {
    StringBuilder line = new StringBuilder(indent + "#");
    for (String word : text.split(" ", -1)) {
      if (line.length() + 1 + word.length() > WIDTH) {
        out.append(line).append('\n');
        line = new StringBuilder(indent + "#");
      }
      line.append(' ').append(word);
    }
    out.append(line).append('\n');
  }

  private void markdownPage() {
    out.append("# Scenario keys\n\n");
    out.append(
        "Generated from the schema in `sim-scenarios`; `defaults.yaml` there holds the same defaults as a scenario.\n");
    out.append(
        "Where a default is *preset*, `engine.preset` gives it. An unknown key is an error.\n\n");
    out.append("| key | value | default | meaning |\n|---|---|---|---|\n");
    for (SchemaNode node : ScenarioSchema.root().children()) {
      rows(node, node.name());
    }
    out.append("\n## Presets\n\n| key |");
    List<Overlay> overlays = new ArrayList<>();
    for (String name : EnginePreset.names()) {
      overlays.add(Resolver.preset(name));
      out.append(" `").append(name).append("` |");
    }
    out.append("\n|---|").append("---|".repeat(overlays.size())).append('\n');
    SchemaNode.Section engine =
        (SchemaNode.Section) ScenarioSchema.root().child("engine").orElseThrow();
    for (SchemaNode key : engine.children()) {
      KeyPath path = KeyPath.ROOT.child("engine").child(key.name());
      if (overlays.stream().anyMatch(o -> o.get(path).isPresent())) {
        out.append("| `").append(path.text()).append("` |");
        overlays.forEach(
            o ->
                out.append(" ")
                    .append(o.get(path).map(s -> s.value().text()).orElse(""))
                    .append(" |"));
        out.append('\n');
      }
    }
    out.append(
        "\nA key without a value there has no effect on that engine, and is refused where it is written.\n");
  }

  private void rows(SchemaNode node, String path) {
    if (node instanceof SchemaNode.Key key) {
      String value =
          switch (key.absence()) {
            case DEFAULT -> "`" + CanonicalText.yamlText(key.defaultValue()) + "`";
            case PRESET -> "*preset*";
            case OPTIONAL -> "";
            case REQUIRED -> "required";
          };
      row(path, key.type().expected(), value, key.description());
    } else if (node instanceof SchemaNode.Section section) {
      row(path, "", "", "**" + section.description() + "**");
      section.children().forEach(child -> rows(child, path + "." + child.name()));
      if (section.parameters() != null) {
        row(
            path + "." + section.parameters().placeholder(),
            section.parameters().expected(),
            "",
            section.parameters().description());
      }
    } else if (node instanceof SchemaNode.ItemList list) {
      row(path + "[]", "", "", "**" + list.description() + "**");
      list.item().children().forEach(child -> rows(child, path + "[]." + child.name()));
    } else if (node instanceof SchemaNode.Apart apart) {
      row(path, "`" + apart.form() + "`", "", apart.description());
    }
  }

  private void row(String path, String value, String defaultText, String meaning) {
    out.append("| `").append(path).append("` | ").append(value).append(" | ").append(defaultText);
    out.append(" | ").append(meaning).append(" |\n");
  }
}

package io.orrery.scenarios.schema;

import io.orrery.scenarios.text.Position;
import io.orrery.scenarios.text.Value;
import io.orrery.scenarios.text.YamlNode;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A place in a scenario: a key with a value, a section of keys, or a list of sections. */
public sealed interface SchemaNode {

  /** The name under which it stands in its section. */
  String name();

  /** What it is, in one sentence. */
  String description();

  /** Where the value of a key comes from when nobody writes it. */
  enum Absence {
    /** {@link Key#defaultText()} says. */
    DEFAULT,
    /** The engine preset says. */
    PRESET,
    /** The key may stay without a value. */
    OPTIONAL,
    /** It must be written. */
    REQUIRED
  }

  /**
   * A key with a value.
   *
   * @param defaultText the default as YAML; present exactly if absence is {@link Absence#DEFAULT}
   */
  record Key(
      String name,
      ValueType type,
      Absence absence,
      @Nullable String defaultText,
      String description)
      implements SchemaNode {

    /** The default, for a key that has one. */
    public Value defaultValue() {
      String text = Objects.requireNonNull(defaultText, name);
      YamlNode node = new YamlNode.Scalar(text, true, Position.of("defaults.yaml"));
      return type.parse(node).orElseThrow(() -> new IllegalStateException("default of " + name));
    }

    static Key of(String name, ValueType type, String defaultText, String description) {
      return new Key(name, type, Absence.DEFAULT, defaultText, description);
    }

    static Key preset(String name, ValueType type, String description) {
      return new Key(name, type, Absence.PRESET, null, description);
    }

    static Key optional(String name, ValueType type, String description) {
      return new Key(name, type, Absence.OPTIONAL, null, description);
    }

    static Key required(String name, ValueType type, String description) {
      return new Key(name, type, Absence.REQUIRED, null, description);
    }
  }

  /**
   * A mapping of keys.
   *
   * @param shorthand the child that a plain value in the section's place stands for, or null
   * @param parameters what undeclared keys mean in the section, or null if they are errors
   */
  record Section(
      String name,
      String description,
      @Nullable String shorthand,
      @Nullable Parameters parameters,
      List<SchemaNode> children)
      implements SchemaNode {
    /** A section of these children. */
    public Section {
      children = List.copyOf(children);
    }

    static Section of(String name, String description, SchemaNode... children) {
      return new Section(name, description, null, null, List.of(children));
    }

    static Section withShorthand(
        String name, String description, String shorthand, SchemaNode... children) {
      return new Section(name, description, shorthand, null, List.of(children));
    }

    static Section withParameters(
        String name, String description, Parameters parameters, SchemaNode... children) {
      return new Section(name, description, null, parameters, List.of(children));
    }

    /** The child of this name. */
    public Optional<SchemaNode> child(String childName) {
      return children.stream().filter(node -> node.name().equals(childName)).findFirst();
    }

    /** The names of the children, in declared order. */
    public List<String> childNames() {
      return children.stream().map(SchemaNode::name).toList();
    }
  }

  /**
   * Undeclared keys in a section: parameters of whatever one of its keys chooses, such as a routing
   * policy's. The chosen one declares which there are. A layer that chooses another one drops the
   * parameters that lower layers wrote.
   *
   * @param placeholder how the reference writes a parameter's name
   * @param selector the section's key that chooses
   * @param expected a parameter, in words
   * @param description what they are, in one sentence
   */
  record Parameters(String placeholder, String selector, String expected, String description) {}

  /**
   * A list of sections. Items are addressed by index or by their {@code name}. Without a list there
   * is one item that has every default.
   */
  record ItemList(String name, String description, Section item) implements SchemaNode {}

  /**
   * What stands in a scenario but is no setting: the variants, a sweep, a plan.
   *
   * @param form how it is written, in YAML's flow style
   */
  record Apart(String name, String form, String description) implements SchemaNode {}
}

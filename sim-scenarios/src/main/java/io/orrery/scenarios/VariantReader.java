package io.orrery.scenarios;

import io.orrery.models.Names;
import io.orrery.scenarios.text.Position;
import io.orrery.scenarios.text.Problems;
import io.orrery.scenarios.text.YamlNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the list of variants: a unique name each, and the keys it sets. */
final class VariantReader {
  private static final Pattern NAME =
      Pattern.compile("[\\p{L}\\p{N}][\\p{L}\\p{N} ._+@=-]{0,63}(?<! )");
  private static final String NAME_EXPECTED =
      "a name of at most 64 letters, digits, blanks and \".\", \"_\", \"+\", \"@\", \"=\", \"-\", starting with a letter or digit";
  private static final List<String> KEYS = List.of("name", "set");

  private final Path directory;
  private final Problems problems;
  private final Map<String, Position> names = new LinkedHashMap<>();

  VariantReader(Path directory, Problems problems) {
    this.directory = directory;
    this.problems = problems;
  }

  /** A variant's name and layer. */
  record Written(String name, List<Assignment> layer) {}

  List<Written> read(YamlNode node) {
    List<Written> variants = new ArrayList<>();
    if (!(node instanceof YamlNode.Sequence sequence) || sequence.items().isEmpty()) {
      problems.add(
          node.position(), "variants", node.found(), "a list of mappings with name and set");
      return variants;
    }
    for (int i = 0; i < sequence.items().size(); i++) {
      Written variant = variant(sequence.items().get(i), "variants[" + i + "]");
      if (variant != null) {
        variants.add(variant);
      }
    }
    return variants;
  }

  private @Nullable Written variant(YamlNode node, String path) {
    if (!(node instanceof YamlNode.Mapping mapping)) {
      problems.add(node.position(), path, node.found(), "a mapping with name and set");
      return null;
    }
    YamlNode nameNode = null;
    YamlNode setNode = null;
    for (YamlNode.Entry entry : mapping.entries()) {
      String key = entry.key().text();
      switch (key) {
        case "name" -> nameNode = entry.value();
        case "set" -> setNode = entry.value();
        default -> {
          String hint = Names.didYouMean(key, KEYS);
          problems.add(
              entry.key().position(),
              path + "." + key,
              "an unknown key",
              "one of name, set" + hint);
        }
      }
    }
    String name = name(mapping, nameNode, path + ".name");
    if (name == null) {
      return null;
    }
    LayerReader reader = new LayerReader(at -> Origin.ofVariant(name, at, directory), problems);
    if (setNode != null) {
      readSet(setNode, path + ".set", reader);
    }
    return new Written(name, reader.assignments());
  }

  private @Nullable String name(YamlNode.Mapping mapping, @Nullable YamlNode node, String path) {
    if (node == null) {
      problems.add(mapping.position(), path, "nothing", NAME_EXPECTED);
      return null;
    }
    if (!(node instanceof YamlNode.Scalar scalar) || !NAME.matcher(scalar.text()).matches()) {
      problems.add(node.position(), path, node.found(), NAME_EXPECTED);
      return null;
    }
    Position earlier = names.putIfAbsent(scalar.text(), node.position());
    if (earlier != null) {
      String expected = "a name of its own (the first is in line " + earlier.line() + ")";
      problems.add(node.position(), path, scalar.found() + " a second time", expected);
      return null;
    }
    return scalar.text();
  }

  private void readSet(YamlNode node, String path, LayerReader reader) {
    boolean nothing = node instanceof YamlNode.Scalar scalar && scalar.isNull();
    if (nothing) {
      return;
    }
    if (!(node instanceof YamlNode.Mapping mapping)) {
      problems.add(
          node.position(),
          path,
          node.found(),
          "a mapping of dotted paths to values, as {routing.policy: random}");
      return;
    }
    for (YamlNode.Entry entry : mapping.entries()) {
      reader.override(entry.key().text(), entry.value(), entry.key().position());
    }
  }
}

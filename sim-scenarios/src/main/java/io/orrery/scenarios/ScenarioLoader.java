package io.orrery.scenarios;

import io.orrery.scenarios.text.Position;
import io.orrery.scenarios.text.Problems;
import io.orrery.scenarios.text.ScenarioException;
import io.orrery.scenarios.text.YamlNode;
import io.orrery.scenarios.text.YamlReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Loads scenarios. The layers, each above the one before: defaults, engine preset, file, variant,
 * command line. A mapping in a higher layer changes the keys that it names; a list replaces the
 * list below it.
 */
public final class ScenarioLoader {
  private static final String WITHOUT_FILE = "run";

  private ScenarioLoader() {}

  /**
   * Loads a file.
   *
   * @throws ScenarioException with every problem found, if there is any
   */
  public static Scenario load(Path file, CommandLineSettings commandLine) {
    Path parent = file.getParent();
    return load(
        YamlReader.read(file),
        file.toString(),
        parent == null ? Path.of("") : parent,
        stem(file),
        commandLine);
  }

  /**
   * Loads a text.
   *
   * @param source what messages call it
   * @param directory what its relative paths are relative to
   * @throws ScenarioException with every problem found, if there is any
   */
  public static Scenario parse(
      String yaml, String source, Path directory, CommandLineSettings commandLine) {
    return load(
        YamlReader.parse(yaml, source), source, directory, stem(Path.of(source)), commandLine);
  }

  /**
   * A scenario of defaults and the command line.
   *
   * @throws ScenarioException with every problem found, if there is any
   */
  public static Scenario withoutFile(CommandLineSettings commandLine) {
    return load(null, "command line", Path.of(""), WITHOUT_FILE, commandLine);
  }

  /**
   * What holds where no file says otherwise; what has to be given and is not, such as the trace, is
   * left out.
   *
   * @throws ScenarioException with every problem found, if there is any
   */
  public static EffectiveConfig defaults(CommandLineSettings commandLine) {
    Problems problems = new Problems();
    Overlay overlay = new Overlay();
    overlay.apply(commandLine.base(), problems);
    overlay.apply(commandLine.layer(problems), problems);
    problems.throwIfAny();
    EffectiveConfig config = Resolver.resolveGiven(overlay, problems);
    ScenarioRules.check(config, Position.of("command line"), problems);
    problems.throwIfAny();
    return config;
  }

  private static Scenario load(
      @Nullable YamlNode root,
      String source,
      Path directory,
      String name,
      CommandLineSettings commandLine) {
    Problems problems = new Problems();
    LayerReader fileReader = new LayerReader(at -> Origin.ofFile(at, directory), problems);
    List<VariantReader.Written> written = new ArrayList<>();
    if (root != null) {
      fileReader.document(root);
      YamlNode variants = variants(root);
      if (variants != null) {
        written.addAll(new VariantReader(directory, problems).read(variants));
      }
    }
    if (written.isEmpty()) {
      written.add(new VariantReader.Written(name, List.of()));
    }
    List<Assignment> top = commandLine.layer(problems);
    problems.throwIfAny();

    List<Variant> variants = new ArrayList<>();
    Map<String, Overlay> presets = new HashMap<>();
    for (VariantReader.Written variant : written) {
      Overlay overlay = new Overlay();
      overlay.apply(commandLine.base(), problems);
      overlay.apply(fileReader.assignments(), problems);
      overlay.apply(variant.layer(), problems);
      overlay.apply(top, problems);
      EffectiveConfig config = Resolver.resolve(overlay, presets, Position.of(source), problems);
      ScenarioRules.check(config, Position.of(source), problems);
      if (problems.isEmpty()) {
        variants.add(new Variant(variant.name(), config, new SpecReader(config).scenario()));
      }
    }
    problems.throwIfAny();
    return new Scenario(name, variants, notes(written, top));
  }

  private static @Nullable YamlNode variants(YamlNode root) {
    if (root instanceof YamlNode.Mapping mapping) {
      for (YamlNode.Entry entry : mapping.entries()) {
        if (entry.key().text().equals("variants")) {
          return entry.value();
        }
      }
    }
    return null;
  }

  /** The command line beats variants; where that takes away what a variant is about, say so. */
  private static List<String> notes(List<VariantReader.Written> variants, List<Assignment> top) {
    Set<String> notes = new LinkedHashSet<>();
    for (Assignment assignment : top) {
      if (assignment instanceof Assignment.Put put) {
        List<String> names =
            variants.stream().filter(v -> sets(v, put)).map(VariantReader.Written::name).toList();
        if (!names.isEmpty()) {
          String option = put.origin().text() + " " + put.path().text();
          notes.add(option + " overrides what the variants set: " + String.join(", ", names) + ".");
        }
      }
    }
    return new ArrayList<>(notes);
  }

  private static boolean sets(VariantReader.Written variant, Assignment.Put put) {
    return variant.layer().stream()
        .anyMatch(a -> a instanceof Assignment.Put below && below.path().equals(put.path()));
  }

  private static String stem(Path file) {
    String name = String.valueOf(file.getFileName());
    int dot = name.lastIndexOf('.');
    return dot > 0 ? name.substring(0, dot) : name;
  }
}

package io.orrery.scenarios;

import io.orrery.scenarios.text.Position;
import io.orrery.scenarios.text.Problems;
import io.orrery.scenarios.text.ScenarioException;
import io.orrery.scenarios.text.YamlReader;
import java.nio.file.Path;

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
    return layers(file, commandLine).scenario();
  }

  /**
   * The layers of a file, of which variants can be made under further settings.
   *
   * @throws ScenarioException with every problem found, if there is any
   */
  public static ScenarioLayers layers(Path file, CommandLineSettings commandLine) {
    Path parent = file.getParent();
    return ScenarioLayers.of(
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
    return layersOf(yaml, source, directory, commandLine).scenario();
  }

  /**
   * The layers of a text, of which variants can be made under further settings.
   *
   * @throws ScenarioException with every problem found, if there is any
   */
  public static ScenarioLayers layersOf(
      String yaml, String source, Path directory, CommandLineSettings commandLine) {
    return ScenarioLayers.of(
        YamlReader.parse(yaml, source), source, directory, stem(Path.of(source)), commandLine);
  }

  /**
   * A scenario of defaults and the command line.
   *
   * @throws ScenarioException with every problem found, if there is any
   */
  public static Scenario withoutFile(CommandLineSettings commandLine) {
    return ScenarioLayers.of(null, "command line", Path.of(""), WITHOUT_FILE, commandLine)
        .scenario();
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

  private static String stem(Path file) {
    String name = String.valueOf(file.getFileName());
    int dot = name.lastIndexOf('.');
    return dot > 0 ? name.substring(0, dot) : name;
  }
}

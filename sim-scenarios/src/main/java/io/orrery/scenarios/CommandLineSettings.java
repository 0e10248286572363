package io.orrery.scenarios;

import io.orrery.scenarios.schema.ValueType;
import io.orrery.scenarios.text.KeyPath;
import io.orrery.scenarios.text.Position;
import io.orrery.scenarios.text.Problems;
import io.orrery.scenarios.text.ScenarioException;
import io.orrery.scenarios.text.Value;
import io.orrery.scenarios.text.YamlNode;
import io.orrery.scenarios.text.YamlReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What the command line says about the scenario; it has the last word over the file and its
 * variants.
 *
 * @param assignments {@code PATH=VALUE} as given with {@code --set}, in order; the value is YAML
 * @param seed the value of {@code --seed}, if given
 * @param traces the values of {@code --trace}; if there are any, they replace {@code trace.files}
 * @param map the value of {@code --map}, if given: it replaces {@code trace.map}
 * @param perfData the value of {@code --perf-data}, if given: it replaces {@code
 *     stepTime.perfData}, and step times come from tables where nobody chose their model
 * @param workingDirectory what relative paths on the command line are relative to
 */
public record CommandLineSettings(
    List<String> assignments,
    OptionalLong seed,
    List<String> traces,
    Optional<String> map,
    Optional<String> perfData,
    Path workingDirectory) {
  private static final KeyPath STEP_TIME = KeyPath.ROOT.child("stepTime");

  /** Settings of the command line. */
  public CommandLineSettings {
    assignments = List.copyOf(assignments);
    traces = List.copyOf(traces);
  }

  /** Settings without a column mapping and measured tables. */
  public CommandLineSettings(
      List<String> assignments, OptionalLong seed, List<String> traces, Path workingDirectory) {
    this(assignments, seed, traces, Optional.empty(), Optional.empty(), workingDirectory);
  }

  /** A command line that says nothing. */
  public static CommandLineSettings none() {
    return new CommandLineSettings(List.of(), OptionalLong.empty(), List.of(), Path.of(""));
  }

  /** These settings and one more {@code PATH=VALUE}. */
  public CommandLineSettings with(String assignment) {
    List<String> more = new ArrayList<>(assignments);
    more.add(assignment);
    return new CommandLineSettings(more, seed, traces, map, perfData, workingDirectory);
  }

  /** These settings with another seed. */
  public CommandLineSettings withSeed(long newSeed) {
    return new CommandLineSettings(
        assignments, OptionalLong.of(newSeed), traces, map, perfData, workingDirectory);
  }

  /** These settings with other trace files. */
  public CommandLineSettings withTraces(List<String> newTraces) {
    return new CommandLineSettings(assignments, seed, newTraces, map, perfData, workingDirectory);
  }

  /** These settings with a folder of measured tables. */
  public CommandLineSettings withPerfData(String folder) {
    return new CommandLineSettings(
        assignments, seed, traces, map, Optional.of(folder), workingDirectory);
  }

  /** What holds where nothing above says otherwise. */
  List<Assignment> base() {
    return perfData.isEmpty() ? List.of() : List.of(perfData("model", "table"));
  }

  private Assignment perfData(String key, String value) {
    Origin origin = Origin.ofOption("--perf-data", workingDirectory);
    return new Assignment.Put(STEP_TIME.child(key), new Value.Text(value), origin);
  }

  /** The topmost layer. */
  List<Assignment> layer(Problems problems) {
    Position set = Position.of("--set");
    LayerReader reader =
        new LayerReader(at -> Origin.ofOption("--set", workingDirectory), problems);
    for (String assignment : assignments) {
      int equals = assignment.indexOf('=');
      if (equals < 1) {
        problems.add(set, "", new YamlNode.Scalar(assignment, false, set).found(), "PATH=VALUE");
        continue;
      }
      String path = assignment.substring(0, equals).strip();
      try {
        reader.override(path, value(assignment.substring(equals + 1), set), set);
      } catch (ScenarioException e) {
        e.problems().forEach(p -> problems.add(p.position(), path, p.found(), p.expected()));
      }
    }
    List<Assignment> layer = new ArrayList<>(reader.assignments());
    if (seed.isPresent()) {
      layer.addAll(option("--seed", "seed", Long.toString(seed.getAsLong()), problems));
    }
    map.ifPresent(columns -> layer.addAll(option("--map", "trace.map", columns, problems)));
    if (traces.stream().anyMatch(String::isBlank)) {
      problems.add(
          Position.of("command line"),
          "--trace",
          ValueType.EMPTY_PATH,
          ValueType.EXPECTED_FOR_EMPTY_PATH);
    } else if (!traces.isEmpty()) {
      List<Value> files = traces.stream().map(text -> (Value) new Value.Text(text)).toList();
      KeyPath path = KeyPath.ROOT.child("trace").child("files");
      layer.add(
          new Assignment.Put(
              path, new Value.Items(files), Origin.ofOption("--trace", workingDirectory)));
    }
    if (perfData.filter(String::isBlank).isPresent()) {
      problems.add(
          Position.of("command line"),
          "--perf-data",
          ValueType.EMPTY_PATH,
          ValueType.EXPECTED_FOR_EMPTY_PATH);
    } else {
      perfData.ifPresent(folder -> layer.add(perfData("perfData", folder)));
    }
    return layer;
  }

  /** An option of its own for a key. */
  private List<Assignment> option(String name, String key, String value, Problems problems) {
    LayerReader reader = new LayerReader(at -> Origin.ofOption(name, workingDirectory), problems);
    Position at = Position.of(name);
    reader.override(key, new YamlNode.Scalar(value, true, at), at);
    return reader.assignments();
  }

  private static YamlNode value(String text, Position position) {
    return text.isBlank()
        ? new YamlNode.Scalar("", true, position)
        : YamlReader.parseValue(text, position);
  }
}

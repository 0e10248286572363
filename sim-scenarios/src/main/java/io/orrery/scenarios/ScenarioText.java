package io.orrery.scenarios;

import io.orrery.scenarios.text.Position;
import io.orrery.scenarios.text.ScenarioException;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A scenario as it can be sent to another process: its text, and what the command line changes in
 * it.
 *
 * @param yaml text of the file
 * @param source what messages call it
 * @param directory what its relative paths are relative to
 * @param assignments as in {@link CommandLineSettings}
 * @param seed as in {@link CommandLineSettings}, null if it is not given
 * @param traces as in {@link CommandLineSettings}
 * @param perfData as in {@link CommandLineSettings}, null if it is not given
 * @param workingDirectory what relative paths on the command line are relative to
 */
public record ScenarioText(
    String yaml,
    String source,
    String directory,
    List<String> assignments,
    @Nullable Long seed,
    List<String> traces,
    @Nullable String map,
    @Nullable String perfData,
    String workingDirectory)
    implements Serializable {
  /** A text. */
  public ScenarioText {
    assignments = List.copyOf(assignments);
    traces = List.copyOf(traces);
  }

  /**
   * Reads a file.
   *
   * @throws ScenarioException if it cannot be read
   */
  public static ScenarioText read(Path file, CommandLineSettings commandLine) {
    Path parent = file.getParent();
    OptionalLong seed = commandLine.seed();
    try {
      return new ScenarioText(
          Files.readString(file),
          file.toString(),
          parent == null ? "" : parent.toString(),
          commandLine.assignments(),
          seed.isPresent() ? (Long) seed.getAsLong() : null,
          commandLine.traces(),
          commandLine.map().orElse(null),
          commandLine.perfData().orElse(null),
          commandLine.workingDirectory().toString());
    } catch (IOException e) {
      throw new ScenarioException(
          Position.of(file.toString()), "", "a file that cannot be read", "UTF-8 text");
    }
  }

  /**
   * The layers, as {@link ScenarioLoader#layers} reads them from the file.
   *
   * @throws ScenarioException with every problem found, if there is any
   */
  public ScenarioLayers layers() {
    return ScenarioLoader.layersOf(
        yaml,
        source,
        Path.of(directory),
        new CommandLineSettings(
            assignments,
            seed == null ? OptionalLong.empty() : OptionalLong.of(seed),
            traces,
            Optional.ofNullable(map),
            Optional.ofNullable(perfData),
            Path.of(workingDirectory)));
  }
}

package io.orrery.cli;

import io.orrery.reports.work.WorkEngine;
import io.orrery.reports.work.WorkEngineProvider;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where work is done: in this process's threads, or by other processes. */
final class EngineOptions {
  private static final String LOCAL = "local";
  private static final String HOW_TO_BUILD =
      "spark is there once its module is built: ./mvnw -q -DskipTests -pl sim-spark -am package";

  @Option(
      names = "--engine",
      paramLabel = "NAME",
      defaultValue = LOCAL,
      description = "Who does the work: local (the default, this process) or spark.")
  private String engine;

  @Option(
      names = "--master",
      paramLabel = "URL",
      description = {
        "With --engine spark, Spark's master, as local[2] or spark://HOST:7077; by default the one of"
            + " spark-submit, or local[*]."
      })
  private @Nullable String master;

  EngineOptions() {
    engine = LOCAL;
  }

  /** Whether this process does the work. */
  boolean isLocal() {
    if (!engine.equals(LOCAL)) {
      return false;
    }
    if (master != null) {
      throw new UsageException("--master: found " + master + " without --engine spark");
    }
    return true;
  }

  /**
   * Starts the engine that does the work.
   *
   * @param plugins files that all its processes need
   * @throws UsageException if there is none of this name
   */
  WorkEngine start(List<Path> plugins) {
    List<String> known = new ArrayList<>(List.of(LOCAL));
    for (WorkEngineProvider provider : ServiceLoader.load(WorkEngineProvider.class)) {
      known.add(provider.name());
      if (provider.name().equals(engine)) {
        try {
          return provider.start(Optional.ofNullable(master), plugins);
        } catch (IllegalArgumentException e) {
          throw new UsageException("--master: " + e.getMessage());
        }
      }
    }
    throw new UsageException(
        "--engine: found "
            + engine
            + ", expected one of "
            + String.join(", ", known)
            + (engine.equals("spark") ? "; " + HOW_TO_BUILD : ""));
  }
}

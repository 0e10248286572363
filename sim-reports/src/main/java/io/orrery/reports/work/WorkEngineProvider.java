package io.orrery.reports.work;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Starts an engine; found by {@link java.util.ServiceLoader}. */
public interface WorkEngineProvider {
  /** What {@code --engine} calls it. */
  String name();

  /**
   * Starts it.
   *
   * @param master where its processes are; empty takes what the engine is told elsewhere
   * @param plugins files that every process needs on its class path besides ours
   * @throws IllegalArgumentException if there is no such master
   */
  WorkEngine start(Optional<String> master, List<Path> plugins);
}

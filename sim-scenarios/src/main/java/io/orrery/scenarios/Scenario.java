package io.orrery.scenarios;

import java.nio.file.Path;
import java.util.List;

/**
 * A scenario with all its layers applied.
 *
 * @param name the file's name without extension, or {@code run} without a file
 * @param variants in the order of the file, at least one; without variants in the file, one that
 *     has the scenario's name
 * @param notes what the user should know, a sentence each; for the error stream
 */
public record Scenario(String name, List<Variant> variants, List<String> notes) {
  /** A scenario of these variants. */
  public Scenario {
    variants = List.copyOf(variants);
    notes = List.copyOf(notes);
  }

  /** The files and folders that the variants' traces are read from. */
  public List<Path> traceFiles() {
    return variants.stream()
        .flatMap(variant -> variant.spec().trace().source().files().stream())
        .distinct()
        .toList();
  }
}

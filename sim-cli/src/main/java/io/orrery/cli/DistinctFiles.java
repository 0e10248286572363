package io.orrery.cli;

import java.io.IOException;
import java.lang.reflect.AnnotatedElement;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** No command writes a file that it reads, nor two results into one file. */
final class DistinctFiles {
  private DistinctFiles() {}

  /**
   * Checks a command line before anything is done.
   *
   * @throws UsageException if an option that is {@link Written} names a file that another one is to
   *     write, that the command line names otherwise, or that lies in a folder named there
   */
  static void check(ParseResult parse) {
    ParseResult last = parse;
    while (last.hasSubcommand()) {
      last = last.subcommand();
    }
    Map<Path, String> written = new TreeMap<>();
    List<Path> named = new ArrayList<>();
    for (ArgSpec argument : last.matchedArgs()) {
      for (String value : argument.originalStringValues()) {
        if (isWritten(argument)) {
          String option = ((OptionSpec) argument).names()[0];
          String other = written.putIfAbsent(real(Path.of(value)), option);
          if (other != null) {
            throw new UsageException(
                option + " " + value + ": found the file of " + other + ", expected another one");
          }
        } else if (!isFolderOfResults(argument)) {
          addFile(named, value);
        }
      }
    }
    written.forEach((file, option) -> refuse(option, file, named));
  }

  /**
   * Checks that a file is none of those that are read, nor in a folder of them.
   *
   * @throws UsageException if it is
   */
  static void refuse(String option, Path file, List<Path> read) {
    Path real = real(file);
    for (Path input : read) {
      Path other = real(input);
      boolean within = Files.isDirectory(other) && Files.isRegularFile(real);
      if (real.equals(other) || (within && real.startsWith(other))) {
        throw new UsageException(
            option
                + " "
                + file
                + ": found "
                + (real.equals(other) ? "what is read" : "a file of the folder that is read")
                + ", expected another file");
      }
    }
  }

  private static boolean isWritten(ArgSpec argument) {
    return argument.userObject() instanceof AnnotatedElement field
        && field.isAnnotationPresent(Written.class);
  }

  /** In such a folder other results may lie, which a run writes anew. */
  private static boolean isFolderOfResults(ArgSpec argument) {
    return argument instanceof OptionSpec option && List.of(option.names()).contains("-o");
  }

  /** Most values of options are no files. */
  private static void addFile(List<Path> files, String value) {
    try {
      Path path = Path.of(value);
      if (!value.isEmpty() && Files.exists(path)) {
        files.add(path);
      }
    } catch (InvalidPathException e) {
      // Then there is no such file either.
    }
  }

  /** The path without links, as far as it exists. */
  private static Path real(Path path) {
    Path absolute = path.toAbsolutePath().normalize();
    try {
      return absolute.toRealPath();
    } catch (IOException e) {
      Path parent = OutputFolder.parent(absolute);
      return parent.equals(absolute) ? absolute : real(parent).resolve(absolute.getFileName());
    }
  }
}

package io.orrery.scenarios.text;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A scenario that cannot be used: not YAML, an unknown key, a value of the wrong type, unit or
 * range, or values that do not go together. The message has one line per problem, each {@code
 * FILE:LINE: path.to.key: found VALUE, expected WHAT}. It is the user's mistake, never the
 * program's: commands print the message and exit with status 2.
 */
public final class ScenarioException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient List<Problem> problems;

  /** An exception for these problems, of which there is at least one. */
  public ScenarioException(List<Problem> problems) {
    super(problems.stream().map(Problem::text).collect(Collectors.joining("\n")));
    this.problems = List.copyOf(problems);
  }

  /** An exception for a single problem. */
  public ScenarioException(Position position, String path, String found, String expected) {
    this(List.of(new Problem(position, path, found, expected)));
  }

  /** The problems in the order they were found. */
  public List<Problem> problems() {
    return problems;
  }
}

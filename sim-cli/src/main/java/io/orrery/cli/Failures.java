package io.orrery.cli;

import io.orrery.engine.NoProgressException;
import io.orrery.engine.SimulatedTimeException;
import io.orrery.engine.policy.InvalidPluginException;
import io.orrery.engine.policy.PolicyFailureException;
import io.orrery.models.Names;
import io.orrery.reports.work.WorkFailedException;
import io.orrery.scenarios.text.ScenarioException;
import io.orrery.traces.TraceException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Turns what went wrong into a few lines on the error stream and an exit code. A file that cannot
 * be written, because a disk is full, for example, is the caller's to see to, as a wrong option is.
 */
final class Failures implements IExecutionExceptionHandler, IParameterExceptionHandler {
  static final int USAGE = 2;
  static final int TRACE = 3;
  static final int INTERNAL = 70;

  private final Console console;

  Failures(Console console) {
    this.console = console;
  }

  @Override
  public int handleExecutionException(
      Exception failure, CommandLine commandLine, ParseResult parseResult) {
    return report(failure);
  }

  @Override
  public int handleParseException(ParameterException failure, String[] args) {
    for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
      if (cause instanceof UsageException) {
        return report(cause);
      }
    }
    CommandLine command = failure.getCommandLine();
    if (failure instanceof UnmatchedArgumentException unmatched
        && command.getCommand() instanceof Main
        && !unmatched.isUnknownOption()) {
      String word = unmatched.getUnmatched().get(0);
      List<String> known = Main.commandNames();
      say(
          "found "
              + word
              + ", expected one of "
              + String.join(", ", known)
              + Names.didYouMean(word, known));
    } else {
      say(String.valueOf(failure.getMessage()));
      UnmatchedArgumentException.printSuggestions(failure, console.err());
    }
    console.err().println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
    return USAGE;
  }

  /** Says what went wrong and returns the exit code. */
  int report(Throwable failure) {
    if ("1".equals(System.getenv("ORRERY_DEBUG"))) {
      failure.printStackTrace(console.err());
    }
    if (failure instanceof ScenarioException
        || failure instanceof UsageException
        || failure instanceof InvalidPluginException
        || failure instanceof SimulatedTimeException) {
      String.valueOf(failure.getMessage()).lines().forEach(this::say);
      return USAGE;
    }
    if (failure instanceof TraceException) {
      say(String.valueOf(failure.getMessage()));
      return TRACE;
    }
    if (failure instanceof PolicyFailureException
        || failure instanceof NoProgressException
        || failure instanceof WorkFailedException) {
      say(String.valueOf(failure.getMessage()));
      return INTERNAL;
    }
    if (failure instanceof OutOfMemoryError) {
      say(
          "out of memory: give more, as ORRERY_JAVA_OPTS=-Xmx16g, or ask for less"
              + " (engine.kvBlocks, cluster.pools[].workers)");
      return INTERNAL;
    }
    if (failure instanceof FileSystemException file && file.getFile() != null) {
      say(file.getFile() + ": " + IoReason.of(file));
      return USAGE;
    }
    if (failure instanceof IOException || failure instanceof UncheckedIOException) {
      say(IoReason.of((Exception) failure));
      return USAGE;
    }
    say("internal error: " + failure + " (ORRERY_DEBUG=1 shows where; please report it)");
    return INTERNAL;
  }

  private void say(String line) {
    console.err().println("orrery: " + line);
  }
}

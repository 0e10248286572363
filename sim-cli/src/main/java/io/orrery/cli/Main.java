package io.orrery.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The {@code orrery} command: a root that does nothing but hold its subcommands.
 *
 * <p>Exit codes: 0 done, 1 a gate failed, 2 usage or configuration, 3 a trace that cannot be read,
 * 70 an error of the program itself, 130 interrupted.
 */
@Command(
    name = "orrery",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = "Replays captured LLM request traces on a modelled serving cluster.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "  0:done",
      "  1:a gate failed",
      "  2:usage or configuration",
      "  3:a trace that cannot be read",
      " 70:an error of the program itself",
      "130:interrupted"
    })
public final class Main implements Runnable {
  /** The commands, in the order of the help: a new command is one line here. */
  private static final Map<String, Function<Console, Callable<Integer>>> COMMANDS = commands();

  @Spec private CommandSpec spec;

  private static Map<String, Function<Console, Callable<Integer>>> commands() {
    Map<String, Function<Console, Callable<Integer>>> commands = new LinkedHashMap<>();
    commands.put("run", RunCommand::new);
    commands.put("validate", ValidateCommand::new);
    commands.put("config", ConfigCommand::new);
    commands.put("conformance", ConformanceCommand::new);
    return commands;
  }

  /** Runs one command on the process's own streams, in UTF-8 whatever the locale, and exits. */
  public static void main(String[] args) {
    ResultStream results = new ResultStream();
    PrintWriter out = new PrintWriter(results, true, StandardCharsets.UTF_8);
    PrintWriter err =
        new PrintWriter(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
    Console console = new Console(out, err, Terminal.ofProcess());
    int exitCode;
    try {
      exitCode = commandLine(console, args).execute(args);
    } catch (Throwable e) {
      exitCode = new Failures(console).report(e);
    }
    out.flush();
    if (results.hasFailed()) {
      err.println("orrery: standard output: " + results.failure());
      exitCode = Failures.INTERNAL;
    }
    err.flush();
    System.exit(exitCode);
  }

  /**
   * The command tree.
   *
   * @param args what it will be given: where they begin with a command, only that one is made,
   *     which saves a process 30 ms
   */
  static CommandLine commandLine(Console console, String... args) {
    Failures failures = new Failures(console);
    CommandLine root = new CommandLine(new Main());
    boolean asked = args.length > 0 && COMMANDS.containsKey(args[0]);
    COMMANDS.forEach(
        (name, command) -> {
          if (!asked || name.equals(args[0])) {
            root.addSubcommand(name, command.apply(console));
          }
        });
    return root.setExecutionExceptionHandler(failures)
        .setParameterExceptionHandler(failures)
        .setOut(console.out())
        .setErr(console.err())
        .setColorScheme(
            Help.defaultColorScheme(console.terminal().colour() ? Help.Ansi.ON : Help.Ansi.OFF))
        .setCaseInsensitiveEnumValuesAllowed(true);
  }

  /** The names of the commands, in the order of the help. */
  static List<String> commandNames() {
    return List.copyOf(COMMANDS.keySet());
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Missing command");
  }
}

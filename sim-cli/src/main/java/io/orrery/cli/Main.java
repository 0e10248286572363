package io.orrery.cli;

import static java.util.Objects.requireNonNull;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
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
 * <p>Exit codes: 0 done, 1 a gate failed, 2 usage or configuration, or a file that cannot be
 * written, 3 a trace that cannot be read, 70 an error of the program itself, 130 interrupted.
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
      "  2:usage or configuration, or a file that cannot be written",
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
    commands.put("compare", CompareCommand::new);
    commands.put("sweep", SweepCommand::new);
    commands.put("plan", PlanCommand::new);
    commands.put("cells", CellsCommand::new);
    commands.put("report", ReportCommand::new);
    commands.put("export", ExportCommand::new);
    commands.put("check", CheckCommand::new);
    commands.put("explain", ExplainCommand::new);
    commands.put("validate", ValidateCommand::new);
    commands.put("config", ConfigCommand::new);
    commands.put("import-config", ImportConfigCommand::new);
    commands.put("trace", console -> new TraceCommand());
    commands.put("calibrate", CalibrateCommand::new);
    commands.put("conformance", ConformanceCommand::new);
    commands.put("footprint", FootprintCommand::new);
    commands.put("catalog", console -> new CatalogCommand());
    commands.put("fidelity", FidelityCommand::new);
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
      exitCode = execute(console, args);
    } catch (Throwable e) {
      exitCode = new Failures(console).report(e);
    }
    out.flush();
    if (results.hasFailed()) {
      err.println("orrery: standard output: " + results.failure());
      exitCode = Failures.USAGE;
    }
    err.flush();
    System.exit(exitCode);
  }

  /**
   * Runs one command for a program that has it on its class path.
   *
   * @return the exit code
   */
  public static int run(PrintWriter out, PrintWriter err, String... args) {
    int exitCode = execute(new Console(out, err, new Terminal(false, false, false, false)), args);
    out.flush();
    err.flush();
    return exitCode;
  }

  /**
   * Runs one command.
   *
   * @return the exit code
   */
  static int execute(Console console, String... args) {
    ClassLoader before = Thread.currentThread().getContextClassLoader();
    try {
      return executeWithPlugins(console, args);
    } finally {
      Plugins.close(before);
    }
  }

  private static int executeWithPlugins(Console console, String... args) {
    Function<Console, Callable<Integer>> asked = args.length == 0 ? null : COMMANDS.get(args[0]);
    if (asked != null) {
      // As if it hung below the root, but without making that and the others: saves 30 ms.
      CommandLine command = line(asked.apply(console), console);
      command.setCommandName("orrery " + args[0]);
      return configured(command, console).execute(Arrays.copyOfRange(args, 1, args.length));
    }
    CommandLine root = new CommandLine(new Main());
    COMMANDS.forEach(
        (name, command) -> root.addSubcommand(name, line(command.apply(console), console)));
    return configured(root, console).execute(args);
  }

  /** A command with its own subcommands, if it has any. */
  private static CommandLine line(Callable<Integer> command, Console console) {
    CommandLine line = new CommandLine(command);
    Object[] below =
        command instanceof CatalogCommand
            ? CatalogCommand.subcommands(console)
            : command instanceof TraceCommand ? TraceCommand.subcommands(console) : new Object[0];
    for (Object subcommand : below) {
      line.addSubcommand(subcommand);
    }
    return line;
  }

  private static CommandLine configured(CommandLine command, Console console) {
    Failures failures = new Failures(console);
    boolean colour = console.terminal().colour();
    return command
        .setExecutionStrategy(
            parse -> {
              try {
                DistinctFiles.check(parse);
              } catch (UsageException e) {
                return failures.report(e);
              }
              return new CommandLine.RunLast().execute(parse);
            })
        .setExecutionExceptionHandler(failures)
        .setParameterExceptionHandler(failures)
        .setOut(console.styledOut())
        .setErr(console.err())
        .setColorScheme(Help.defaultColorScheme(colour ? Help.Ansi.ON : Help.Ansi.OFF))
        .setCaseInsensitiveEnumValuesAllowed(true);
  }

  /** The names of the commands, in the order of the help. */
  static List<String> commandNames() {
    return List.copyOf(COMMANDS.keySet());
  }

  /** The names of a command's subcommands, in the order of the help; mostly none. */
  static List<String> subcommandNames(String command) {
    PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
    Console console = new Console(nowhere, nowhere, new Terminal(false, false, false, false));
    Callable<Integer> made = requireNonNull(COMMANDS.get(command)).apply(console);
    return List.copyOf(line(made, console).getSubcommands().keySet());
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Missing command");
  }
}

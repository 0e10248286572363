package io.orrery.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
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
  @Spec private CommandSpec spec;

  /** Runs one command on the process's own streams, in UTF-8 whatever the locale, and exits. */
  public static void main(String[] args) {
    PrintWriter out = writer(FileDescriptor.out);
    PrintWriter err = writer(FileDescriptor.err);
    int exitCode;
    try {
      exitCode = commandLine(Terminal.ofProcess(), out, err).execute(args);
    } catch (OutOfMemoryError e) {
      err.println("orrery: out of memory: give more, for example ORRERY_JAVA_OPTS=-Xmx16g");
      exitCode = 70;
    }
    out.flush();
    err.flush();
    System.exit(exitCode);
  }

  /**
   * The whole command tree, writing to the given streams; {@code execute} returns the exit code.
   */
  static CommandLine commandLine(Terminal terminal, PrintWriter out, PrintWriter err) {
    Console console = new Console(out, err, terminal);
    Failures failures = new Failures(console);
    return new CommandLine(new Main())
        .addSubcommand(new RunCommand(console))
        .setExecutionExceptionHandler(failures)
        .setParameterExceptionHandler(failures)
        .setOut(out)
        .setErr(err)
        .setColorScheme(Help.defaultColorScheme(terminal.colour() ? Help.Ansi.ON : Help.Ansi.OFF))
        .setCaseInsensitiveEnumValuesAllowed(true);
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Missing command");
  }

  private static PrintWriter writer(FileDescriptor descriptor) {
    return new PrintWriter(new FileOutputStream(descriptor), true, StandardCharsets.UTF_8);
  }
}

package io.orrery.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What Orrery knows by name. Its subcommands are lines in {@link #CatalogCommand(Console)}. */
@Command(
    name = "catalog",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    synopsisSubcommandLabel = "COMMAND",
    description = "Show what can be named in a scenario, and where each fact comes from.",
    footer = {"", "Example:", "  orrery catalog gpus b200"})
final class CatalogCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  /** The subcommands, in the order of the help. */
  static Object[] subcommands(Console console) {
    return new Object[] {
      new CatalogGpusCommand(console),
      new CatalogModelsCommand(console),
      new CatalogPoliciesCommand(console)
    };
  }

  @Override
  public Integer call() {
    throw new ParameterException(spec.commandLine(), "Missing what to show");
  }
}

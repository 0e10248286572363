package io.orrery.cli;

import io.orrery.scenarios.imports.ConfigImport;
import io.orrery.scenarios.imports.ImportedConfig;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Turns other systems' settings into scenario keys. */
@Command(
    name = "import-config",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = {
      "Turn the flags of vllm serve, Dynamo's router arguments or an llm-d scheduler's YAML into"
          + " scenario keys."
    },
    footer = {
      "",
      "Keys go to standard output, what could not be mapped to standard error.",
      "",
      "Example:",
      "  orrery import-config serve.sh"
    })
final class ImportConfigCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "FILE",
      description = "A script with the commands, or an EndpointPickerConfig.")
  private Path file = Path.of("");

  private final Console console;

  ImportConfigCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    ImportedConfig config = ConfigImport.read(file);
    console.out().print(config.toYaml());
    console.out().flush();
    config.notes().forEach(note -> console.err().println("orrery: " + note));
    console.err().flush();
    return 0;
  }
}

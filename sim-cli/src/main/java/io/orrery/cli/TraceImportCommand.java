package io.orrery.cli;

import io.orrery.models.Names;
import io.orrery.reports.console.HumanUnits;
import io.orrery.traces.imports.LogFindings;
import io.orrery.traces.imports.LogImport;
import io.orrery.traces.imports.LogTool;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A trace out of one's own agent logs. */
@Command(
    name = "import",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = {
      "Write a trace of the session logs that a coding agent keeps on disk, without their content:"
          + " token counts, times, which kinds of tools; names become keyed hashes."
    },
    footer = {
      "",
      "Where logs lie: ~/.claude/projects, ~/.codex/sessions, ~/.local/share/opencode,",
      "~/.pi/agent/sessions. More in docs/traces.md, Agent logs.",
      "",
      "Example:",
      "  orrery trace import claude-code ~/.claude/projects -o mine.parquet"
    })
final class TraceImportCommand implements Callable<Integer> {
  @Parameters(
      index = "0",
      paramLabel = "AGENT",
      description = "claude-code, codex, opencode or pi.")
  private String agent = "";

  @Parameters(
      index = "1..*",
      arity = "1..*",
      paramLabel = "DIR",
      description = "Folders to search, or log files.")
  private List<Path> paths = new ArrayList<>();

  @Option(
      names = "--block-size",
      paramLabel = "TOKENS",
      defaultValue = "64",
      description = "Tokens per block of the trace; ${DEFAULT-VALUE} by default.")
  private int blockSize;

  @Mixin private Salt salt;
  @Mixin private TraceOutput output;

  private final Console console;

  TraceImportCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    LogTool tool =
        LogTool.named(agent)
            .orElseThrow(
                () ->
                    new UsageException(
                        "import: found "
                            + agent
                            + ", expected one of "
                            + String.join(", ", LogTool.names())
                            + Names.didYouMean(agent, LogTool.names())));
    if (blockSize < 1) {
      throw new UsageException("--block-size: found " + blockSize + ", expected at least 1");
    }
    output.claim();
    LogImport.Imported imported = LogImport.of(tool, paths, blockSize, salt.bytes());
    LogFindings findings = imported.findings();
    for (Map.Entry<String, Long> finding : findings.counts().entrySet()) {
      console
          .err()
          .println(
              "orrery: "
                  + finding.getKey()
                  + ": "
                  + HumanUnits.count(finding.getValue())
                  + ", first at "
                  + findings.place(finding.getKey()));
    }
    output.write(imported.trace(), console);
    return 0;
  }
}

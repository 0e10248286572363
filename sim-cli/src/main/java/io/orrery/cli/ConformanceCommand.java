package io.orrery.cli;

import io.orrery.cli.conformance.Conformance;
import io.orrery.reports.JsonText;
import io.orrery.reports.console.HumanUnits;
import io.orrery.traces.TraceException;
import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.zip.GZIPInputStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Compares the schedulers with recordings of the real ones. */
@Command(
    name = "conformance",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = "Compare the schedulers, step by step, with recordings of vLLM's and SGLang's.",
    footer = {
      "",
      "Exit code 1 if any recorded scenario differs, 3 if a recording cannot be read.",
      "",
      "Example:",
      "  orrery conformance recordings/*.jsonl.gz"
    })
final class ConformanceCommand implements Callable<Integer> {
  private static final int DIFFERENT = 1;
  private static final String A_RECORDING = "a recording, plain or gzip";

  @Parameters(
      paramLabel = "FILE",
      arity = "1..*",
      description = "Recordings, one JSON object a line, plain or gzip.")
  private List<Path> files;

  @Option(
      names = "--json",
      description = "Print {\"scenarios\", \"equal\", \"steps\", \"first_difference\"}.")
  private boolean json;

  private final Console console;

  ConformanceCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    Conformance.Result all = new Conformance.Result(0, 0, 0, null);
    for (Path file : files) {
      all = all.plus(compare(file));
    }
    if (json) {
      Map<String, Object> root = new LinkedHashMap<>();
      root.put("scenarios", all.scenarios());
      root.put("equal", all.equal());
      root.put("steps", all.steps());
      root.put("first_difference", all.firstDifference());
      console.out().print(JsonText.of(root));
    } else {
      console
          .out()
          .println(
              HumanUnits.count(all.equal())
                  + " of "
                  + HumanUnits.count(all.scenarios())
                  + " recorded scenarios agree in every step ("
                  + HumanUnits.count(all.steps())
                  + " steps compared)");
      if (all.firstDifference() != null) {
        console.out().println("first difference: " + all.firstDifference());
      }
    }
    return all.equal() == all.scenarios() ? 0 : DIFFERENT;
  }

  private static Conformance.Result compare(Path file) {
    String name = file.toString();
    if (!Files.exists(file)) {
      throw new TraceException(name, 0, null, "no such file", A_RECORDING);
    }
    if (Files.isDirectory(file)) {
      throw new TraceException(name, 0, null, "a folder", A_RECORDING);
    }
    try (BufferedReader lines = open(file)) {
      Conformance.Result result = new Conformance().compare(name, lines);
      if (result.scenarios() == 0) {
        throw new TraceException(name, 0, null, "nothing", "one recorded scenario a line");
      }
      return result;
    } catch (IOException e) {
      throw new TraceException(
          name, 0, null, "an unreadable file (" + IoReason.of(e) + ")", A_RECORDING);
    }
  }

  private static BufferedReader open(Path file) throws IOException {
    InputStream bytes = new BufferedInputStream(Files.newInputStream(file), 1 << 16);
    bytes.mark(2);
    boolean gzip = bytes.read() == 0x1f && bytes.read() == 0x8b;
    bytes.reset();
    return new BufferedReader(
        new InputStreamReader(
            gzip ? new GZIPInputStream(bytes, 1 << 16) : bytes, StandardCharsets.UTF_8));
  }
}

package io.orrery.cli;

import io.orrery.reports.JsonText;
import io.orrery.reports.console.HumanUnits;
import io.orrery.reports.console.Paragraph;
import io.orrery.traces.TraceCheck;
import io.orrery.traces.TraceFinding;
import io.orrery.traces.TraceFinding.Severity;
import io.orrery.traces.TraceFindings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Says everything that there is to be said against a trace. */
@Command(
    name = "validate",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = {
      "Show every finding in a trace: what cannot be read (error), what is odd but usable"
          + " (warning), and what was left aside on purpose (note), with its first place.",
      "Exit status 3 for errors, unless they are kept aside; 1 for warnings with --strict."
    },
    footer = {"", "Example:", "  orrery trace validate traces/quickstart.jsonl.gz --strict"})
final class TraceValidateCommand implements Callable<Integer> {
  private static final int SCHEMA_VERSION = 1;
  private static final int WIDTH = 100;
  private static final int STRICT = 1;

  @Mixin private TraceFiles files;

  @Option(names = "--strict", description = "Refuse warnings and records that were kept aside.")
  private boolean strict;

  @Mixin private JsonOption json;

  private final Console console;

  TraceValidateCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    TraceCheck check = files.check(console);
    console.out().print(json.asked() ? document(check) : text(check));
    console.out().flush();
    boolean errors = check.findings().count(Severity.ERROR) > 0;
    if (check.contents() == null || (errors && !files.keepsBadRecords())) {
      return Failures.TRACE;
    }
    return strict && check.findings().anyProblem() ? STRICT : 0;
  }

  private static String text(TraceCheck check) {
    StringBuilder out = new StringBuilder();
    TraceFindings findings = check.findings();
    for (TraceFinding finding : findings.all()) {
      String place = finding.place();
      String line =
          name(finding.severity())
              + ": "
              + (place.isEmpty() ? "" : place + ": ")
              + finding.what()
              + (finding.count() == 1 ? "" : " (" + HumanUnits.count(finding.count()) + " times)");
      out.append(Paragraph.wrapped(line, WIDTH).replace("\n", "\n  ")).append('\n');
    }
    TraceCheck.Contents contents = check.contents();
    out.append(
        contents == null
            ? "not a trace"
            : contents.format()
                + ", "
                + HumanUnits.count(contents.requests(), "request")
                + " in "
                + HumanUnits.count(contents.sessions(), "session"));
    for (Severity severity : List.of(Severity.ERROR, Severity.WARNING, Severity.NOTE)) {
      long count = findings.count(severity);
      out.append(severity == Severity.ERROR ? ": " : ", ");
      out.append(HumanUnits.count(count, name(severity)));
    }
    return out.append('\n').toString();
  }

  private static String document(TraceCheck check) {
    TraceFindings findings = check.findings();
    TraceCheck.Contents contents = check.contents();
    Map<String, @Nullable Object> root = new LinkedHashMap<>();
    root.put("schemaVersion", SCHEMA_VERSION);
    root.put("format", contents == null ? null : contents.format());
    root.put("requests", contents == null ? null : contents.requests());
    root.put("sessions", contents == null ? null : contents.sessions());
    for (Severity severity : Severity.values()) {
      root.put(name(severity) + "s", findings.count(severity));
    }
    List<Object> list = new ArrayList<>();
    for (TraceFinding finding : findings.all()) {
      Map<String, @Nullable Object> entry = new LinkedHashMap<>();
      entry.put("severity", name(finding.severity()));
      entry.put("what", finding.what());
      entry.put("count", finding.count());
      entry.put("file", finding.file());
      entry.put("line", finding.line() == 0 ? null : finding.line());
      entry.put("field", finding.field());
      list.add(entry);
    }
    root.put("findings", list);
    return JsonText.of(root);
  }

  private static String name(Severity severity) {
    return severity.name().toLowerCase(Locale.ROOT);
  }
}

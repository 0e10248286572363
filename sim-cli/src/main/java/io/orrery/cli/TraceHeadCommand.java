package io.orrery.cli;

import io.orrery.reports.JsonText;
import io.orrery.reports.console.HumanUnits;
import io.orrery.reports.console.TextTable;
import io.orrery.traces.EdgeTrigger;
import io.orrery.traces.Trace;
import io.orrery.traces.TraceHead;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The first requests of a trace, as they were understood. */
@Command(
    name = "head",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = {
      "Show the first requests of a trace as they were understood, whatever its format.",
      "They are those that come first in the files, by their starts; what follows is not read."
    },
    footer = {"", "Example:", "  orrery trace head traces/quickstart.jsonl.gz -n 5"})
final class TraceHeadCommand implements Callable<Integer> {
  private static final int SCHEMA_VERSION = 1;
  private static final int LONGEST_ID = 28;

  @Mixin private TraceFiles files;

  @Option(names = "-n", paramLabel = "N", defaultValue = "10", description = "Requests to show.")
  private int count;

  @Mixin private JsonOption json;

  private final Console console;

  TraceHeadCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    if (count < 1) {
      throw new UsageException("-n: found " + count + ", expected at least 1");
    }
    TraceHead head = files.head(count, console);
    int shown = Math.min(count, head.trace().requestCount());
    console.out().print(json.asked() ? document(head, shown) : table(head.trace(), shown));
    console.out().flush();
    if (!head.whole()) {
      console
          .err()
          .println(
              "orrery: what follows in the files was neither read nor checked (orrery trace"
                  + " validate does both)");
      console.err().flush();
    }
    return 0;
  }

  private static String table(Trace trace, int shown) {
    TextTable table =
        new TextTable(
            "request", "start", "input", "blocks", "output", "<waits for", "TTFT", "total");
    for (int r = 0; r < shown; r++) {
      table.add(
          shortened(trace.requestId(r)),
          time(trace.arrivalNanos(r)),
          HumanUnits.count(trace.inputTokens(r)),
          HumanUnits.count(trace.identifiedBlocks(r)),
          HumanUnits.count(trace.outputTokens(r)),
          waits(trace, r),
          time(trace.recordedTtftNanos(r)),
          time(trace.recordedTotalNanos(r)));
    }
    return table.toString();
  }

  private static String shortened(String id) {
    if (id.length() <= LONGEST_ID) {
      return id;
    }
    int from = id.length() - LONGEST_ID + 1;
    boolean cut = Character.isSurrogatePair(id.charAt(from - 1), id.charAt(from));
    return "…" + id.substring(cut ? from + 1 : from);
  }

  private static String time(long nanos) {
    return nanos == Trace.NO_TIME ? "–" : HumanUnits.seconds(nanos / 1e9);
  }

  private static String waits(Trace trace, int r) {
    int edges = trace.edgeEnd(r) - trace.edgeStart(r);
    if (edges == 0) {
      return "";
    }
    int edge = trace.edgeStart(r);
    String from = trace.requestId(trace.edgeFrom(edge));
    boolean own = trace.session(trace.edgeFrom(edge)) == trace.session(r);
    return (own ? "turn " + trace.turn(trace.edgeFrom(edge)) : shortened(from))
        + (trace.edgeTrigger(edge) == EdgeTrigger.DISPATCH ? " begins" : "")
        + " + "
        + time(trace.edgeDelayNanos(edge))
        + (edges == 1 ? "" : ", " + (edges - 1) + " more");
  }

  private static String document(TraceHead head, int shown) {
    Trace trace = head.trace();
    Map<String, @Nullable Object> root = new LinkedHashMap<>();
    root.put("schemaVersion", SCHEMA_VERSION);
    root.put("format", trace.provenance().format());
    root.put("whole", head.whole());
    root.put("requests", head.whole() ? trace.requestCount() : null);
    root.put("sessions", head.whole() ? trace.sessionCount() : null);
    List<Object> rows = new ArrayList<>();
    for (int r = 0; r < shown; r++) {
      rows.add(row(trace, r));
    }
    root.put("head", rows);
    return JsonText.of(root);
  }

  private static Map<String, @Nullable Object> row(Trace trace, int r) {
    Map<String, @Nullable Object> row = new LinkedHashMap<>();
    row.put("request", trace.requestId(r));
    row.put("session", trace.sessionId(trace.session(r)));
    row.put("turn", trace.turn(r));
    row.put("start_s", seconds(trace.arrivalNanos(r)));
    row.put("input_tokens", trace.inputTokens(r));
    row.put("prompt_blocks", trace.identifiedBlocks(r));
    row.put("output_tokens", trace.outputTokens(r));
    List<Object> waits = new ArrayList<>();
    for (int e = trace.edgeStart(r); e < trace.edgeEnd(r); e++) {
      Map<String, @Nullable Object> wait = new LinkedHashMap<>();
      wait.put("for", trace.requestId(trace.edgeFrom(e)));
      wait.put("until", trace.edgeTrigger(e) == EdgeTrigger.DISPATCH ? "dispatch" : "completion");
      wait.put("delay_s", seconds(trace.edgeDelayNanos(e)));
      waits.add(wait);
    }
    row.put("waits", waits);
    row.put("ttft_s", seconds(trace.recordedTtftNanos(r)));
    row.put("total_s", seconds(trace.recordedTotalNanos(r)));
    row.put(
        "cached_tokens", trace.recordedCachedTokens(r) < 0 ? null : trace.recordedCachedTokens(r));
    row.put("model", trace.model(r));
    row.put("finish_reason", trace.recordedFinishReason(r));
    row.put("tools", trace.recordedTools(r));
    return row;
  }

  private static @Nullable BigDecimal seconds(long nanos) {
    if (nanos == Trace.NO_TIME) {
      return null;
    }
    BigDecimal seconds = BigDecimal.valueOf(nanos, 9);
    return seconds.signum() == 0 ? BigDecimal.ZERO : seconds.stripTrailingZeros();
  }
}

package io.orrery.reports.traces;

import io.orrery.reports.chart.Figures;
import io.orrery.reports.console.HumanUnits;
import io.orrery.reports.console.Paragraph;
import io.orrery.reports.console.TextTable;
import io.orrery.traces.analysis.BlockReuse;
import io.orrery.traces.analysis.Concurrency;
import java.time.Duration;

/** What is said about a trace, in 100 columns. */
public final class TraceStatsText {
  /** Columns of the text. */
  public static final int WIDTH = 100;

  private TraceStatsText() {}

  /** The text; lines end with {@code \n}. */
  public static String of(TraceSummary summary) {
    StringBuilder out = new StringBuilder();
    paragraph(out, TraceSentences.what(summary));
    paragraph(out, TraceSentences.reuse(summary));
    TextTable numbers = new TextTable("", "count", "mean", "p10", "p50", "p90", "p99", "max");
    summary
        .distributions()
        .forEach(
            (number, d) ->
                numbers.add(
                    number.label(),
                    HumanUnits.count(d.count()),
                    Figures.text(d.mean(), number.unit()),
                    Figures.text(d.p10(), number.unit()),
                    Figures.text(d.p50(), number.unit()),
                    Figures.text(d.p90(), number.unit()),
                    Figures.text(d.p99(), number.unit()),
                    Figures.text(d.max(), number.unit())));
    out.append('\n').append(numbers);
    concurrency(out, summary);
    BlockReuse reuse = summary.reuse();
    if (reuse != null) {
      byTime(out, summary.sharedClock(), reuse);
      byWorkers(out, reuse);
    }
    return out.toString();
  }

  private static void paragraph(StringBuilder out, String text) {
    out.append(Paragraph.wrapped(text, WIDTH)).append('\n');
  }

  private static void concurrency(StringBuilder out, TraceSummary summary) {
    Concurrency sessions = summary.sessions();
    Concurrency requests = summary.inFlight();
    if (sessions == null) {
      return;
    }
    TextTable table = new TextTable("at once", "mean", "most");
    table.add("sessions", HumanUnits.amount(sessions.mean()), HumanUnits.count(sessions.most()));
    if (requests != null) {
      table.add("requests", HumanUnits.amount(requests.mean()), HumanUnits.count(requests.most()));
    }
    out.append('\n').append(table);
  }

  private static void byTime(StringBuilder out, boolean sharedClock, BlockReuse reuse) {
    String[] header = new String[BlockReuse.TIMES_TO_LIVE.size() + 1];
    String[] hits = new String[header.length];
    String[] sets = new String[header.length];
    header[0] = "kept after the last use for";
    hits[0] = sharedClock ? "found in a cache" : "found in a session's cache";
    sets[0] = "tokens kept, mean";
    for (int i = 1; i < header.length; i++) {
      Duration time = BlockReuse.TIMES_TO_LIVE.get(i - 1);
      header[i] = TraceNumbers.text(time);
      hits[i] = HumanUnits.percent(reuse.hitShares()[i - 1]);
      boolean window = i - 1 < reuse.workingSetTokens().length;
      sets[i] = window ? HumanUnits.amount(reuse.workingSetTokens()[i - 1]) : "";
    }
    TextTable table = new TextTable(header);
    table.add(hits);
    if (sharedClock) {
      table.add(sets);
    }
    out.append('\n').append(table);
  }

  private static void byWorkers(StringBuilder out, BlockReuse reuse) {
    String[] header = new String[BlockReuse.WORKERS.size() + 1];
    String[] placed = new String[header.length];
    String[] upside = new String[header.length];
    String[] choice = new String[header.length];
    header[0] = "workers";
    placed[0] = "found where requests go anywhere";
    upside[0] = "routing can add";
    choice[0] = "requests that gain a tenth or more";
    for (int i = 1; i < header.length; i++) {
      header[i] = BlockReuse.WORKERS.get(i - 1).toString();
      placed[i] = HumanUnits.percent(reuse.placed()[i - 1]);
      upside[i] = HumanUnits.percent(reuse.upside(i - 1));
      choice[i] = HumanUnits.percent(reuse.choice()[i - 1]);
    }
    TextTable table = new TextTable(header);
    table.add(placed);
    table.add(upside);
    table.add(choice);
    out.append('\n').append(table);
  }
}

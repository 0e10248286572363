package io.orrery.reports.figures;

import io.orrery.reports.chart.Axis;
import io.orrery.reports.chart.BarChart;
import io.orrery.reports.chart.Chart;
import io.orrery.reports.chart.LineChart;
import io.orrery.reports.console.HumanUnits;
import io.orrery.reports.summary.KnownInput;
import io.orrery.reports.summary.Summary;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** What was reused, and where every other input token's work came from. */
final class HitRateSection {
  /** Parts of the input, from what costs nothing to what could have been saved. */
  private record Part(String name, String... classes) {}

  private static final List<Part> PARTS =
      List.of(
          new Part("reused", "hit_device"),
          new Part("reused from slower tiers", "hit_host", "hit_disk", "hit_shared"),
          new Part("last block, or not named by the trace", "tail", "unidentified"),
          new Part("new", "new"),
          new Part("rewritten by the session", "rewritten"),
          new Part("being computed", "in_flight"),
          new Part("held by another worker", "misplaced"),
          new Part("evicted", "evicted", "queue_evicted"),
          new Part(
              "other tax", "unfetched", "unaligned", "orphaned", "lost", "expired", "unreachable"));

  /** Shares below this are printed as 0. */
  private static final double SEEN = 0.0005;

  private static final String PLACEMENT_LOSS = "hit_rate.placement_loss";
  private static final String EVICTION_LOSS = "hit_rate.eviction_loss";

  private final List<RunFigures> runs;

  HitRateSection(List<RunFigures> runs) {
    this.runs = runs;
  }

  Section section() {
    boolean known = runs.stream().anyMatch(run -> run.summary().get("hit_rate.tokens").isPresent());
    if (!known) {
      return new Section(
          "hit-rate",
          "Cache hit rate",
          "No block of the input has an identity, so nothing is known of hits: rates are unknown, not zero.",
          List.of(),
          List.of());
    }
    return new Section("hit-rate", "Cache hit rate", lead(), charts(), tables());
  }

  private List<Table> tables() {
    List<Table> tables = new ArrayList<>(List.of(bounds(), ledgerTable()));
    List<RunFigures> asked = runs.stream().filter(HitRateSection::isAsked).toList();
    if (!asked.isEmpty()) {
      tables.add(predicted(asked));
    }
    return tables;
  }

  private List<Chart> charts() {
    List<Chart> charts = new ArrayList<>(List.of(ledger(), losses(), byTurn(), sessions()));
    List<RunFigures> asked = runs.stream().filter(HitRateSection::isAsked).toList();
    if (!asked.isEmpty()) {
      charts.add(predictions(asked));
    }
    return charts;
  }

  /** Whether the router asked what workers hold. */
  private static boolean isAsked(RunFigures run) {
    return run.believedTokens() > 0 || run.foundTokens() > 0;
  }

  private static Chart predictions(List<RunFigures> asked) {
    List<String> bars = new ArrayList<>();
    double[] tokens = new double[2 * asked.size()];
    for (int i = 0; i < asked.size(); i++) {
      bars.add(asked.get(i).name() + ", expected");
      bars.add(asked.get(i).name() + ", found");
      tokens[2 * i] = asked.get(i).believedTokens();
      tokens[2 * i + 1] = asked.get(i).foundTokens();
    }
    return new BarChart(
        "predicted-found",
        "What the router expected to be reused where it placed requests, and what was found",
        "Input tokens of all requests for which the router had a belief; variants whose router asks"
            + " nobody are left out.",
        Axis.linear("input tokens", Axis.Unit.TOKENS),
        bars,
        List.of(new BarChart.Part("tokens", tokens)));
  }

  private String lead() {
    RunFigures best =
        runs.stream()
            .max(Comparator.comparingDouble(run -> run.summary().get("hit_rate.tokens", -1)))
            .orElseThrow();
    Summary summary = best.summary();
    return (runs.size() == 1 ? "" : best.name() + " reuses most: ")
        + HumanUnits.percent(summary.get("hit_rate.tokens", 0))
        + " of the input tokens came from a cache, "
        + bound(summary)
        + "; "
        + HumanUnits.percent(share(summary, "misplaced"))
        + " of all input was computed again because another worker held it, "
        + HumanUnits.percent(share(summary, "evicted", "queue_evicted"))
        + " of all input because it had been evicted.";
  }

  private static String bound(Summary summary) {
    return KnownInput.isAll(summary)
        ? "where no cache of any size could give more than "
            + HumanUnits.percent(summary.get("hit_rate.bound", 0))
        : "though "
            + HumanUnits.percent(KnownInput.unidentifiedShare(summary))
            + " of the input has no identity and is never found here; of the known input, "
            + HumanUnits.percent(KnownInput.share(summary, "hit_rate.tokens").orElse(0))
            + " did, where no cache of any size could give more than "
            + HumanUnits.percent(KnownInput.share(summary, "hit_rate.bound").orElse(0));
  }

  private static double share(Summary summary, String... classes) {
    double input = 0;
    for (Part part : PARTS) {
      input += tokens(summary, part.classes());
    }
    return input == 0 ? Double.NaN : tokens(summary, classes) / input;
  }

  private static double tokens(Summary summary, String... classes) {
    double tokens = 0;
    for (String kind : classes) {
      tokens += summary.get("ledger_tokens." + kind, 0);
    }
    return tokens;
  }

  private Chart ledger() {
    List<BarChart.Part> parts = new ArrayList<>();
    for (Part part : PARTS) {
      double[] shares =
          runs.stream().mapToDouble(run -> share(run.summary(), part.classes())).toArray();
      boolean any = false;
      for (double value : shares) {
        any |= value > 0;
      }
      if (any) {
        parts.add(new BarChart.Part(part.name(), shares));
      }
    }
    return new BarChart(
        "ledger",
        "The ledger: where every input token's work came from",
        "Stacked shares of the input tokens, one bar a variant; together they are all input tokens"
            + " that came into a step.",
        Axis.linear("input tokens", Axis.Unit.SHARE),
        runs.stream().map(RunFigures::name).toList(),
        parts);
  }

  /** Shares of the input that, one after another, lead up to the bound that nothing passes. */
  private Chart losses() {
    double[][] parts = new double[4][runs.size()];
    for (int i = 0; i < runs.size(); i++) {
      Summary summary = runs.get(i).summary();
      parts[0][i] = summary.get("hit_rate.tokens", Double.NaN);
      parts[1][i] = summary.get(EVICTION_LOSS, Double.NaN);
      parts[2][i] = summary.get(PLACEMENT_LOSS, Double.NaN);
      parts[3][i] =
          summary.get("hit_rate.bound", Double.NaN)
              - summary.get("hit_rate.realised_bound", Double.NaN);
    }
    return new BarChart(
        "losses",
        "What was reused, and what kept it from the bound",
        "Shares of all input tokens: reused; lost by eviction order, which caches of the same size would"
            + " have kept had they known the future; lost by placement, which one cache of the same size in all would"
            + " have kept; and what no cache of that size could. Bars end at the most that any cache"
            + " could reuse. The ledger asks something else, where a block lay when it was looked for:"
            + " what a worker evicted while another held it counts there as held by another worker, so"
            + " the two splits differ."
            + (runs.stream().allMatch(run -> KnownInput.isAll(run.summary()))
                ? ""
                : " Input without identity counts as new."),
        Axis.linear("input tokens", Axis.Unit.SHARE),
        runs.stream().map(RunFigures::name).toList(),
        losses(parts));
  }

  private static List<BarChart.Part> losses(double[][] parts) {
    List<String> names =
        List.of("reused", "lost by eviction order", "lost by placement", "out of reach");
    List<BarChart.Part> shown = new ArrayList<>();
    for (int i = 0; i < parts.length; i++) {
      // What no variant has only makes the legend longer.
      if (i == 0 || Arrays.stream(parts[i]).anyMatch(part -> part >= SEEN)) {
        shown.add(new BarChart.Part(names.get(i), parts[i]));
      }
    }
    return shown;
  }

  private String ofKnown() {
    return runs.stream().allMatch(run -> KnownInput.isAll(run.summary()))
        ? ""
        : " Shares are of the input that has an identity.";
  }

  /** Whether no request of any run is in a class of turns. */
  private boolean isUnknown(int turns) {
    return runs.stream().allMatch(run -> Double.isNaN(run.hitRateByTurn()[turns]));
  }

  private Chart byTurn() {
    List<LineChart.Line> lines = new ArrayList<>();
    SizeClasses turns = SizeClasses.turns();
    int classes = turns.count();
    while (classes > 0 && isUnknown(classes - 1)) {
      classes--;
    }
    double[] x = new double[classes];
    for (int i = 0; i < x.length; i++) {
      x[i] = turns.first(i);
    }
    for (RunFigures run : runs) {
      lines.add(new LineChart.Line(run.name(), x, Arrays.copyOf(run.hitRateByTurn(), classes)));
    }
    return new LineChart(
        "hit-rate-by-turn",
        "Reused share of the input by turn of the session",
        "Turns 1, 2, 3 to 4, 5 to 8, 9 to 16, 17 to 32, and 33 on, each at its first turn."
            + ofKnown(),
        Axis.log("turn", Axis.Unit.COUNT),
        Axis.linear("reused input tokens", Axis.Unit.SHARE),
        lines,
        false,
        Double.NaN,
        "");
  }

  private Chart sessions() {
    List<LineChart.Line> lines = new ArrayList<>();
    for (RunFigures run : runs) {
      RunFigures.Cdf cdf = run.sessionHitRates();
      lines.add(new LineChart.Line(run.name(), cdf.values(), cdf.shares()));
    }
    return new LineChart(
        "hit-rate-sessions",
        "Hit rate: share of sessions that reuse no more than that",
        Descriptions.quantiles(
                "Hit rate of a session at the median and at p95",
                runs,
                "hit_rate.session",
                HumanUnits::percent)
            + ofKnown(),
        Axis.linear("reused share of the session's input", Axis.Unit.SHARE),
        Axis.linear("sessions", Axis.Unit.SHARE),
        lines,
        false,
        Double.NaN,
        "");
  }

  private Table bounds() {
    List<Descriptions.Line> lines =
        new ArrayList<>(
            List.of(
                Descriptions.percent("reused, of all input", "hit_rate.tokens"),
                Descriptions.percent(
                    "lost by eviction order, of all input: what each cache, no larger, would have kept had it known the future",
                    EVICTION_LOSS),
                Descriptions.percent(
                    "lost by placement, of all input: what one cache of the same size in all would have kept",
                    PLACEMENT_LOSS),
                Descriptions.percent(
                    "these three: bound with the look-ups in the order of this run",
                    "hit_rate.realised_bound")));
    lines.addAll(Descriptions.bound("bound for a cache of any size, in any order", runs));
    lines.addAll(
        List.of(
            Descriptions.percent("reused, median session", "hit_rate.session.p50"),
            Descriptions.amount(
                "tokens of a turn that its session's turn before had, median",
                "resent_tokens_per_turn.p50")));
    return Descriptions.table(
        "hit-rate-bounds",
        "What was reused, what could have been, and where the rest was lost",
        runs,
        lines);
  }

  private Table ledgerTable() {
    List<String> header = new ArrayList<>();
    header.add("input tokens");
    runs.forEach(run -> header.add(run.name()));
    List<List<String>> rows = new ArrayList<>();
    for (Part part : PARTS) {
      List<String> row = new ArrayList<>();
      row.add(part.name());
      boolean any = false;
      for (RunFigures run : runs) {
        double tokens = tokens(run.summary(), part.classes());
        any |= tokens > 0;
        row.add(
            HumanUnits.amount(tokens)
                + " ("
                + HumanUnits.percent(share(run.summary(), part.classes()))
                + ")");
      }
      if (any) {
        rows.add(row);
      }
    }
    return Table.of(
        "ledger-table", "The ledger in tokens, and in shares of all input", header, rows);
  }

  private static Table predicted(List<RunFigures> asked) {
    List<List<String>> rows = new ArrayList<>();
    for (RunFigures run : asked) {
      rows.add(
          List.of(
              run.name(),
              HumanUnits.amount(run.believedTokens()),
              HumanUnits.amount(run.foundTokens()),
              Descriptions.value(run, "router.estimate_error_tokens.p95", HumanUnits::amount)));
    }
    return Table.of(
        "predicted",
        "What the router expected to be reused, and what was (of routers that ask)",
        List.of("variant", "expected tokens", "found tokens", "error of a request in tokens, p95"),
        rows);
  }
}

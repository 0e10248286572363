package io.orrery.reports.decisions;

import io.orrery.engine.record.Decision;
import io.orrery.reports.console.TextTable;
import io.orrery.traces.PrintableText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One decision as a table, and in words why it was taken and what the best other choice had been.
 */
public final class DecisionExplanation {
  private static final int MOST_CANDIDATES = 40;

  private final DecisionRow row;
  private final Decision decision;

  private DecisionExplanation(DecisionRow row) {
    this.row = row;
    this.decision = row.decision();
  }

  /**
   * The explanation.
   *
   * @param policy the name of the policy that decided
   */
  public static String of(DecisionRow row, String policy) {
    return new DecisionExplanation(row).text(policy);
  }

  /** What is said of a decision, in parts. */
  public static DecisionExplanation of(DecisionRow row) {
    return new DecisionExplanation(row);
  }

  /** Why it was taken, what the best other choice had been, and what was found. */
  public String sentences() {
    return why() + " " + regret() + " " + found();
  }

  private String text(String policy) {
    StringBuilder out = new StringBuilder();
    out.append(
        String.format(
            Locale.ROOT,
            "Request %s of session %s: %,d tokens, sent at %s, placed on worker %d at %s by %s.%n",
            PrintableText.of(row.request()),
            PrintableText.of(row.session()),
            row.inputTokens(),
            seconds(row.arrivalNanos()),
            decision.worker(),
            seconds(decision.nanos()),
            policy));
    if (row.pauseReason() != null) {
      out.append("Admission held it for ").append(milliseconds(row.pausedNanos()));
      out.append(": ").append(row.pauseReason()).append(".\n");
    }
    if (row.waitReason() != null) {
      out.append("It waited ").append(milliseconds(row.waitedNanos()));
      out.append(
          row.waitReason().equals("queue")
              ? " in the router's queue, since every worker had too much to prefill.\n"
              : " while the router worked off updates of its index.\n");
    }
    out.append('\n').append(table()).append('\n');
    out.append(why()).append('\n').append(regret()).append('\n').append(found()).append('\n');
    return out.toString();
  }

  private TextTable table() {
    List<List<String>> cells = cells();
    TextTable table = new TextTable(cells.get(0).toArray(String[]::new));
    cells.subList(1, cells.size()).forEach(row -> table.add(row.toArray(String[]::new)));
    return table;
  }

  /** The candidates, a line each, after the names of the columns. */
  public List<List<String>> cells() {
    List<String> head = new ArrayList<>(List.of("worker", ""));
    List<String> terms = terms();
    head.addAll(terms.stream().map(name -> name.replace('_', ' ')).toList());
    boolean costs = Double.isFinite(decision.terms().cost(decision.choice()));
    if (costs) {
      head.add("cost");
    }
    head.addAll(List.of("held blocks", "first token ms"));
    List<List<String>> table = new ArrayList<>();
    table.add(head);
    for (int i : shown()) {
      List<String> cells = new ArrayList<>();
      cells.add(Integer.toString(decision.workers()[i]));
      cells.add(mark(i));
      for (String name : terms) {
        cells.add(number(decision.terms().value(i, name)));
      }
      if (costs) {
        cells.add(number(decision.terms().cost(i)));
      }
      cells.add(Integer.toString(decision.heldBlocks()[i]));
      cells.add(number(decision.firstTokenNanos()[i] / 1e6));
      table.add(cells);
    }
    return table;
  }

  /** The terms that are not 0 everywhere. */
  private List<String> terms() {
    List<String> terms = new ArrayList<>();
    for (String name : decision.terms().names()) {
      for (int i = 0; i < decision.workers().length; i++) {
        if (decision.terms().value(i, name) != 0) {
          terms.add(name);
          break;
        }
      }
    }
    return terms;
  }

  private String mark(int i) {
    if (i == decision.choice()) {
      return "chosen";
    }
    return i == decision.fastest() && decision.regretNanos() > 0 ? "fastest" : "";
  }

  /** All candidates, or the chosen one, the fastest one and the first of the others. */
  private List<Integer> shown() {
    List<Integer> shown = new ArrayList<>();
    for (int i = 0; i < decision.workers().length; i++) {
      if (i < MOST_CANDIDATES || i == decision.choice() || i == decision.fastest()) {
        shown.add(i);
      }
    }
    return shown;
  }

  private String why() {
    int chosen = decision.workers()[decision.choice()];
    String who =
        decision.worker() == chosen
            ? ""
            : "Admission had pinned the request to worker "
                + decision.worker()
                + "; the router would have chosen worker "
                + chosen
                + ". ";
    double cost = decision.terms().cost(decision.choice());
    if (decision.workers().length == 1) {
      return who + "Worker " + chosen + " was the only candidate.";
    }
    if (!Double.isFinite(cost)) {
      return who
          + "Worker "
          + chosen
          + " was taken by the policy's own rule, which weighs no costs; it held "
          + decision.heldBlocks()[decision.choice()]
          + " of the prompt's leading blocks.";
    }
    if (decision.costRegret() > 0) {
      return String.format(
          Locale.ROOT,
          "%sWorker %d was drawn at a cost of %s; the lowest was %s.",
          who,
          chosen,
          number(cost),
          number(cost - decision.costRegret()));
    }
    if (decision.ties() > 1) {
      return String.format(
          Locale.ROOT,
          "%sWorker %d won a tie of %d at the lowest cost, %s.",
          who,
          chosen,
          decision.ties(),
          number(cost));
    }
    int second = second();
    return String.format(
        Locale.ROOT,
        "%sWorker %d won with the lowest cost, %s, before worker %d with %s%s.",
        who,
        chosen,
        number(cost),
        decision.workers()[second],
        number(decision.terms().cost(second)),
        difference(second));
  }

  private int second() {
    int second = -1;
    for (int i = 0; i < decision.workers().length; i++) {
      if (i != decision.choice()
          && (second < 0 || decision.terms().cost(i) < decision.terms().cost(second))) {
        second = i;
      }
    }
    return second;
  }

  /** The term in which the choice differs most from the second in its favour. */
  private String difference(int second) {
    String most = "";
    double largest = 0;
    for (String name : decision.terms().names()) {
      double gap =
          decision.terms().value(decision.choice(), name) - decision.terms().value(second, name);
      if (Math.abs(gap) > Math.abs(largest)) {
        largest = gap;
        most = name;
      }
    }
    return most.isEmpty()
        ? ""
        : String.format(
            Locale.ROOT,
            ": they differ most in %s, %s against %s",
            most.replace('_', ' '),
            number(decision.terms().value(decision.choice(), most)),
            number(decision.terms().value(second, most)));
  }

  private String regret() {
    if (decision.regretNanos() == 0) {
      return "By the step-time model no other worker would have given the first token earlier.";
    }
    int fastest = decision.fastest();
    return String.format(
        Locale.ROOT,
        "By the step-time model worker %d would have given the first token %s earlier: after %s instead of %s.",
        decision.workers()[fastest],
        milliseconds(decision.regretNanos()),
        milliseconds(decision.firstTokenNanos()[fastest]),
        milliseconds(decision.firstTokenNanos()[decision.choice()]));
  }

  private String found() {
    if (row.foundTokens() < 0) {
      return "The request never came into a step.";
    }
    String belief =
        row.believedTokens() < 0
            ? "The router had no belief about the cache"
            : String.format(
                Locale.ROOT, "The router believed %,d tokens to be cached", row.believedTokens());
    return String.format(Locale.ROOT, "%s; the engine found %,d.", belief, row.foundTokens());
  }

  private static String number(double value) {
    if (!Double.isFinite(value)) {
      return "-";
    }
    return value == Math.rint(value)
        ? String.format(Locale.ROOT, "%,.0f", value)
        : String.format(Locale.ROOT, "%,.2f", value);
  }

  private static String milliseconds(long nanos) {
    return String.format(Locale.ROOT, "%,.1f ms", nanos / 1e6);
  }

  private static String seconds(long nanos) {
    return String.format(Locale.ROOT, "%,.3f s", nanos / 1e9);
  }
}

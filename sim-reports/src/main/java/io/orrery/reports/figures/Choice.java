package io.orrery.reports.figures;

import io.orrery.reports.RunReport;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Which variant to choose: the one that is best in most of the {@link Goal}s. */
final class Choice {
  /** Of two variants, one that refuses so much more of the requests is not chosen. */
  private static final double REFUSED = 0.01;

  private final List<RunReport> runs;
  private final List<RunReport> able;

  /**
   * @param runs each variant's numbers, means over seeds
   */
  Choice(List<RunReport> runs) {
    this.runs = runs;
    List<RunReport> answered =
        runs.stream().filter(run -> run.summary().get("ttft_ms.p95").isPresent()).toList();
    double fewest = answered.stream().mapToDouble(Choice::refused).min().orElse(0);
    able = answered.stream().filter(run -> refused(run) <= fewest + REFUSED).toList();
  }

  private static double refused(RunReport run) {
    double sent = run.summary().get("requests.dispatched", 0);
    return sent == 0 ? 0 : run.summary().get("requests.rejected", 0) / sent;
  }

  /** The variant to choose, of equals the one that is best in the first goal; null for none. */
  @Nullable RunReport chosen() {
    return able.stream()
        .max(
            Comparator.comparingLong(this::wins)
                .thenComparing(run -> Goal.ALL.get(0).isBest(run, able)))
        .orElse(null);
  }

  private long wins(RunReport run) {
    return Goal.ALL.stream().filter(goal -> goal.isBest(run, able)).count();
  }

  /** Why this one, and where another is better; null if there is nothing to choose from. */
  @Nullable String sentence() {
    RunReport chosen = chosen();
    if (chosen == null || runs.size() == 1) {
      return null;
    }
    List<String> refusing =
        runs.stream().filter(run -> !able.contains(run)).map(RunReport::name).toList();
    if (able.size() == 1) {
      return "Choose "
          + chosen.name()
          + ": the others refused more of their requests, or answered none: "
          + String.join(", ", refusing)
          + ".";
    }
    List<Goal> differing = Goal.ALL.stream().filter(goal -> goal.tells(able)).toList();
    if (differing.isEmpty()) {
      return "No choice: the variants are alike in "
          + names(Goal.ALL)
          + ". What follows is of "
          + chosen.name()
          + ".";
    }
    String text = merits(chosen, differing) + besides(chosen);
    return refusing.isEmpty()
        ? text
        : text
            + " Left out, since more of their requests were refused or none was answered: "
            + String.join(", ", refusing)
            + ".";
  }

  private String merits(RunReport chosen, List<Goal> differing) {
    List<Goal> won = differing.stream().filter(goal -> goal.isBest(chosen, able)).toList();
    List<Goal> near =
        differing.stream()
            .filter(goal -> !won.contains(goal) && goal.isNearBest(chosen, able))
            .toList();
    List<Goal> lost =
        differing.stream().filter(goal -> !won.contains(goal) && !near.contains(goal)).toList();
    boolean clear = 2 * (won.size() + near.size()) > differing.size();
    String text =
        clear
            ? "Choose " + chosen.name() + ": of " + runs.size() + " variants it is "
            : "No variant is best in all; what follows is of " + chosen.name() + ". It is ";
    if (!won.isEmpty()) {
      text += "best in " + names(won) + (near.isEmpty() ? "" : ", and ");
    }
    if (!near.isEmpty()) {
      text += "within 2 % of the best in " + names(near);
    }
    if (won.isEmpty() && near.isEmpty()) {
      text += "best in nothing";
    }
    text += ".";
    for (Goal goal : lost) {
      text +=
          " "
              + goal.name().substring(0, 1).toUpperCase(Locale.ROOT)
              + goal.name().substring(1)
              + (goal.high() ? " is highest under " : " is lowest under ")
              + better(goal, chosen)
              + ".";
    }
    return text;
  }

  /** Numbers that no choice is made by, and in which another one is better all the same. */
  private String besides(RunReport chosen) {
    List<String> worse = new ArrayList<>();
    for (Goal goal : Goal.BESIDES) {
      List<RunReport> known = able.stream().filter(goal::isKnown).toList();
      if (known.contains(chosen) && !goal.isNearBest(chosen, known)) {
        worse.add(goal.name() + ": " + better(goal, chosen));
      }
    }
    return worse.isEmpty() ? "" : " Another is better in " + String.join("; ", worse) + ".";
  }

  private String better(Goal goal, RunReport chosen) {
    return able.stream()
        .filter(run -> goal.isBest(run, able))
        .limit(1)
        .map(run -> run.name() + " (" + goal.text(run) + ", not " + goal.text(chosen) + ")")
        .collect(Collectors.joining());
  }

  private static String names(List<Goal> goals) {
    List<String> names = goals.stream().map(Goal::name).toList();
    return names.size() < 2
        ? String.join("", names)
        : String.join(", ", names.subList(0, names.size() - 1))
            + " and "
            + names.get(names.size() - 1);
  }
}

package io.orrery.reports.figures;

import io.orrery.reports.RunReport;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What follows from the numbers, a sentence or two each: which variant to choose, what users get
 * from it, and what would have to change for it to do better.
 */
final class Conclusions {
  private Conclusions() {}

  /**
   * The sentences.
   *
   * @param figures what was looked at in each variant's first run
   * @param runs each variant's numbers, means over seeds, in the same order
   * @param everySeed the runs of every seed
   */
  static List<String> of(
      List<RunFigures> figures, List<RunReport> runs, List<RunReport> everySeed) {
    Choice choice = new Choice(runs);
    RunReport chosen = choice.chosen();
    if (chosen == null) {
      return List.of();
    }
    List<String> sentences = new ArrayList<>();
    add(sentences, choice.sentence());
    add(sentences, new Reasons(figures, runs).sentence(chosen));
    sentences.addAll(new Limits(chosen.summary(), figures.get(runs.indexOf(chosen))).sentences());
    if (everySeed.size() > 1) {
      sentences.add(certainty(runs, everySeed));
    }
    return sentences;
  }

  private static void add(List<String> sentences, @Nullable String sentence) {
    if (sentence != null) {
      sentences.add(sentence);
    }
  }

  private static String certainty(List<RunReport> runs, List<RunReport> everySeed) {
    String sure = "How sure this is: the load is this trace and no other; ";
    int seeds = everySeed.size() / runs.size();
    if (seeds == 1) {
      return sure
          + "one run of each variant. Where something is drawn by lot, several seeds tell whether"
          + " small differences are more than chance (run --seeds, then compare).";
    }
    boolean alike =
        everySeed.stream().map(run -> List.of(run.name(), run.summary())).distinct().count()
            == runs.size();
    return alike
        ? sure + "nothing in these runs is drawn by lot, all " + seeds + " seeds give the same."
        : sure
            + "sentences are of means over "
            + seeds
            + " seeds, pictures and tables show the first; orrery compare gives intervals.";
  }
}

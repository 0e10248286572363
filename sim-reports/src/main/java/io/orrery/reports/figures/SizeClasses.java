package io.orrery.reports.figures;

import java.util.ArrayList;
import java.util.List;

/** Whole numbers in classes of doubling or fourfold size, the last one open. */
final class SizeClasses {
  private final int[] firsts;
  private final List<String> labels;

  private SizeClasses(int[] firsts, List<String> labels) {
    this.firsts = firsts;
    this.labels = List.copyOf(labels);
  }

  /** Turns of a session, counted from 1: 1, 2, 3–4, 5–8, …, 33+. */
  static SizeClasses turns() {
    return new SizeClasses(
        new int[] {1, 2, 3, 5, 9, 17, 33}, List.of("1", "2", "3–4", "5–8", "9–16", "17–32", "33+"));
  }

  /** Input tokens: below 1 k, then fourfold, to 256 k and more. */
  static SizeClasses inputTokens() {
    int[] firsts = {0, 1024, 4096, 16384, 32768, 65536, 131072, 262144};
    List<String> labels = new ArrayList<>();
    labels.add("< 1 k");
    for (int i = 1; i < firsts.length - 1; i++) {
      labels.add(firsts[i] / 1024 + "–" + firsts[i + 1] / 1024 + " k");
    }
    labels.add("256 k +");
    return new SizeClasses(firsts, labels);
  }

  int count() {
    return firsts.length;
  }

  /** The least number of a class. */
  int first(int at) {
    return firsts[at];
  }

  List<String> labels() {
    return labels;
  }

  /** The class of a number that is not below the first. */
  int of(int number) {
    int at = firsts.length - 1;
    while (at > 0 && number < firsts[at]) {
      at--;
    }
    return at;
  }
}

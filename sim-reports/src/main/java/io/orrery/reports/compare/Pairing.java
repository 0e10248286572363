package io.orrery.reports.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Which run is compared with which. */
public final class Pairing {
  private Pairing() {}

  /**
   * With one set, its first variant against each of the others; with several, every variant of the
   * first against the one of the same name in each of the others, or, where both have just one,
   * that one.
   *
   * @throws IllegalArgumentException if there is nothing to compare
   */
  public static List<Comparison> of(List<RunSet> sets) {
    List<Comparison> comparisons = new ArrayList<>();
    RunSet first = sets.get(0);
    if (sets.size() == 1) {
      within(first, comparisons);
    }
    for (RunSet other : sets.subList(1, sets.size())) {
      between(first, other, comparisons);
    }
    return comparisons;
  }

  private static void within(RunSet set, List<Comparison> comparisons) {
    if (set.variants().size() == 1) {
      throw new IllegalArgumentException(
          set.label() + ": found one variant, expected several or a second run to compare with");
    }
    Map.Entry<String, RunSet.Variant> before = set.variants().entrySet().iterator().next();
    set.variants()
        .forEach(
            (name, after) -> {
              if (!name.equals(before.getKey())) {
                comparisons.add(Comparison.of(before.getKey(), before.getValue(), name, after));
              }
            });
  }

  private static void between(RunSet first, RunSet other, List<Comparison> comparisons) {
    int known = comparisons.size();
    first
        .variants()
        .forEach(
            (name, before) -> {
              RunSet.Variant after = other.variants().get(name);
              if (after != null) {
                comparisons.add(compare(first, name, before, other, name, after));
              }
            });
    if (comparisons.size() == known
        && first.variants().size() == 1
        && other.variants().size() == 1) {
      Map.Entry<String, RunSet.Variant> before = first.variants().entrySet().iterator().next();
      Map.Entry<String, RunSet.Variant> after = other.variants().entrySet().iterator().next();
      comparisons.add(
          compare(
              first, before.getKey(), before.getValue(), other, after.getKey(), after.getValue()));
    }
    if (comparisons.size() == known) {
      throw new IllegalArgumentException(
          other.label()
              + " has the variants "
              + other.variants().keySet()
              + ", expected one of those of "
              + first.label()
              + ": "
              + first.variants().keySet());
    }
  }

  private static Comparison compare(
      RunSet first,
      String name,
      RunSet.Variant before,
      RunSet other,
      String otherName,
      RunSet.Variant after) {
    return Comparison.of(
        first.label() + " " + name, before, other.label() + " " + otherName, after);
  }
}

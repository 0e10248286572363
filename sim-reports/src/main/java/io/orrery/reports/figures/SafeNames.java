package io.orrery.reports.figures;

import java.util.Locale;

/** Names of anything as parts of ids and file names. */
final class SafeNames {
  private SafeNames() {}

  /** Lower-case letters, digits and single dashes only. */
  static String id(String name) {
    String id = name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
    return id.replaceAll("^-|-$", "");
  }
}

package io.orrery.traces;

import org.jspecify.annotations.Nullable;

/** Names of tools, joined by commas, as far as anybody would read them. */
final class ToolNames {
  private static final int LONGEST = 1_000;

  private final StringBuilder names = new StringBuilder();

  /** Adds a name; null and the empty one are none. */
  void add(@Nullable String name) {
    if (name != null && !name.isEmpty() && names.length() < LONGEST) {
      names.append(names.length() > 0 ? "," : "");
      names.append(name, 0, Math.min(name.length(), LONGEST));
    }
  }

  void clear() {
    names.setLength(0);
  }

  @Nullable String text() {
    return names.length() == 0 ? null : names.toString();
  }
}

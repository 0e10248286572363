package io.orrery.traces.imports;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A session of an agent. Mutable while the log is read. */
final class LoggedSession {
  final String id;

  /** Session that started this one; null for none. */
  @Nullable String parent;

  /** In the order in which they were sent. */
  final List<LoggedCall> calls = new ArrayList<>();

  LoggedSession(String id) {
    this.id = id;
  }

  @Nullable LoggedCall lastCall() {
    return calls.isEmpty() ? null : calls.get(calls.size() - 1);
  }

  /** The last call that had been answered by a time, Unix ms; null for none. */
  @Nullable LoggedCall lastCallUntil(long millis) {
    for (int i = calls.size() - 1; i >= 0; i--) {
      if (calls.get(i).endMillis <= millis) {
        return calls.get(i);
      }
    }
    return null;
  }
}

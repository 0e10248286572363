package io.orrery.traces.synthesis;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A session in the making. */
final class SyntheticSession {
  final @Nullable SyntheticSession parent;
  final List<SyntheticCall> calls = new ArrayList<>();

  /** Whether some of its requests start other sessions. */
  boolean startsOthers;

  /** From the request that started it to its first: ns from its end, or ~ns from its start. */
  long startWait;

  /** Whether the turn after that request waits for its end. */
  boolean joined;

  /** Its number in the trace, once its first request has a row. */
  int number = -1;

  SyntheticSession(@Nullable SyntheticSession parent) {
    this.parent = parent;
  }
}

package io.orrery.traces.synthesis;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A session in the making. */
final class SyntheticSession {
  final @Nullable SyntheticSession parent;
  final List<SyntheticCall> calls = new ArrayList<>();

  /** Its number in the trace, once its first request has a row. */
  int number = -1;

  SyntheticSession(@Nullable SyntheticSession parent) {
    this.parent = parent;
  }
}

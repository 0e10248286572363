package io.orrery.traces;

import io.orrery.traces.columns.IntColumn;

/** The root of each session's tree. */
final class SessionRoots {
  private final IntColumn roots;
  private int onCycle = -1;

  /**
   * Follows parents up.
   *
   * @param parents parent of each session, -1 for none; each below their number
   */
  SessionRoots(IntColumn parents) {
    int count = parents.size();
    roots = IntColumn.filled(count, -1);
    for (int s = 0; s < count && onCycle < 0; s++) {
      follow(parents, s);
    }
  }

  /** A session that is its own ancestor, -1 where there is none. */
  int onCycle() {
    return onCycle;
  }

  /** Root of each session, where there is no cycle. */
  IntColumn roots() {
    return roots;
  }

  private void follow(IntColumn parents, int session) {
    int top = session;
    int steps = 0;
    while (roots.get(top) < 0 && parents.get(top) >= 0) {
      top = parents.get(top);
      if (++steps > parents.size()) {
        onCycle = top;
        return;
      }
    }
    int root = roots.get(top) < 0 ? top : roots.get(top);
    for (int member = session; member != top; member = parents.get(member)) {
      roots.set(member, root);
    }
    roots.set(top, root);
  }
}

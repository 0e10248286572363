package io.orrery.traces.synthesis;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Draws root sessions with those that they start, and says when each request starts. */
final class SessionTrees {
  private final long seed;
  private final SessionDrawing roots;
  private final @Nullable FanOut fanOut;
  private final @Nullable SessionDrawing children;
  private int orders;

  SessionTrees(TraceProfile profile, long seed, BlockSource source) {
    this.seed = seed;
    roots = new SessionDrawing(profile, profile.root(), source, seed, "profile session");
    fanOut = profile.fanOut();
    children =
        fanOut == null
            ? null
            : new SessionDrawing(profile, fanOut.session(), source, seed, "profile sub-agent");
  }

  /**
   * The requests of a tree, those of a session in their order, each after those that it waits for.
   *
   * @param start of the root session, ns
   * @param most requests
   */
  List<SyntheticCall> tree(int index, long start, int most) {
    RandomStream stream = new RandomStream(seed, "profile session", index);
    SyntheticSession root = roots.draw(null, most, stream);
    List<List<SyntheticSession>> started = started(root, index, most - root.calls.size());
    List<SyntheticCall> tree = new ArrayList<>();
    SyntheticCall before = null;
    for (int turn = 0; turn < root.calls.size(); turn++) {
      SyntheticCall call = root.calls.get(turn);
      place(call, before == null ? start : before.end() + call.waits.get(0), tree);
      if (turn > 0) {
        join(call, started.get(turn - 1));
      }
      for (SyntheticSession child : started.get(turn)) {
        SyntheticCall last = null;
        for (SyntheticCall own : child.calls) {
          if (last == null) {
            own.after(call, child.startWait);
          }
          place(own, last == null ? startOf(child, call) : last.end() + own.waits.get(0), tree);
          last = own;
        }
      }
      before = call;
    }
    return tree;
  }

  private static long startOf(SyntheticSession child, SyntheticCall launcher) {
    return child.startWait < 0
        ? launcher.start + ~child.startWait
        : launcher.end() + child.startWait;
  }

  private void place(SyntheticCall call, long start, List<SyntheticCall> tree) {
    call.start = SyntheticCall.onClock(start);
    call.order = orders++;
    tree.add(call);
  }

  /** A turn starts as long after the last of the children as it would after the turn before. */
  private static void join(SyntheticCall call, List<SyntheticSession> children) {
    long wait = call.waits.get(0);
    for (SyntheticSession child : children) {
      if (child.joined) {
        SyntheticCall last = child.calls.get(child.calls.size() - 1);
        call.after(last, wait);
        call.start = SyntheticCall.onClock(Math.max(call.start, last.end() + wait));
      }
    }
  }

  /** The sessions that each turn starts. The last turn starts none: nobody would wait. */
  private List<List<SyntheticSession>> started(SyntheticSession root, int index, int most) {
    List<List<SyntheticSession>> started = new ArrayList<>();
    root.calls.forEach(call -> started.add(new ArrayList<>()));
    int turns = root.calls.size() - 1;
    if (fanOut == null || children == null || turns == 0 || !root.startsOthers) {
      return started;
    }
    RandomStream stream = new RandomStream(seed, "profile sub-agents", index);
    int left = most;
    for (long i = fanOut.launches().drawWhole(stream); i > 0; i--) {
      List<SyntheticSession> here = started.get(stream.below(turns));
      for (long j = fanOut.width().drawWhole(stream); j > 0 && left > 0; j--) {
        SyntheticSession child = children.draw(root, left, stream);
        long wait = Math.max(0, fanOut.startWait().drawWhole(stream));
        child.startWait = stream.chance(fanOut.fromDispatch()) ? ~wait : wait;
        child.joined = stream.chance(fanOut.joined());
        left -= child.calls.size();
        here.add(child);
      }
    }
    return started;
  }
}

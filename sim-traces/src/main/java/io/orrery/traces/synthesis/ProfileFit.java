package io.orrery.traces.synthesis;

import io.orrery.traces.Trace;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Fits a profile to a trace. */
public final class ProfileFit {
  private static final int MOST_PREFIXES = 64;

  private final Trace trace;

  private ProfileFit(Trace trace) {
    this.trace = trace;
  }

  /**
   * The profile of a trace.
   *
   * @param source what the trace is, for whoever finds the profile
   */
  public static TraceProfile of(Trace trace, String source) {
    return new ProfileFit(trace).profile(source);
  }

  private TraceProfile profile(String source) {
    boolean blocks = trace.blocksKnown() && trace.blockCount() > 0;
    boolean stateless =
        blocks && trace.sharedClock() && trace.sessionCount() == trace.requestCount();
    List<int[]> roots = new ArrayList<>();
    List<int[]> others = new ArrayList<>();
    Map<Integer, Integer> started = new HashMap<>();
    if (stateless) {
      roots.addAll(new ContinuedPrompts(trace).chains());
    } else {
      for (int s = 0; s < trace.sessionCount(); s++) {
        boolean root = trace.parentSession(s) < 0;
        (root ? roots : others).add(requests(s));
        if (!root) {
          started.merge(trace.rootSession(s), 1, Integer::sum);
        }
      }
    }
    double[] counts = started.values().stream().mapToDouble(Integer::doubleValue).toArray();
    return new TraceProfile(
        TraceProfile.VERSION,
        source,
        trace.blockSize(),
        blocks,
        trace.sharedClock(),
        stateless,
        gaps(roots),
        new ShapeFit(trace, stateless).of(roots),
        prefixes(roots),
        (double) counts.length / roots.size(),
        counts.length == 0 ? null : Knots.of(counts),
        others.isEmpty() ? null : new ShapeFit(trace, stateless).of(others),
        prefixes(others));
  }

  private int[] requests(int session) {
    int[] requests = new int[trace.requestCount(session)];
    for (int turn = 0; turn < requests.length; turn++) {
      requests[turn] = trace.request(session, turn);
    }
    return requests;
  }

  private @Nullable Knots gaps(List<int[]> roots) {
    if (!trace.sharedClock() || roots.size() < 2) {
      return null;
    }
    long[] starts =
        roots.stream()
            .mapToLong(chain -> Math.max(0, trace.arrivalNanos(chain[0])))
            .sorted()
            .toArray();
    double[] gaps = new double[starts.length - 1];
    for (int i = 0; i < gaps.length; i++) {
      gaps[i] = starts[i + 1] - starts[i];
    }
    return Knots.of(gaps);
  }

  /** The largest groups of sessions whose first prompts begin with the same block. */
  private List<TraceProfile.Prefix> prefixes(List<int[]> sessions) {
    Map<Integer, List<Integer>> groups = new HashMap<>();
    for (int[] session : sessions) {
      int first = session[0];
      if (trace.identifiedBlocks(first) > 0) {
        groups
            .computeIfAbsent(trace.runFirst(trace.runStart(first)), id -> new ArrayList<>())
            .add(first);
      }
    }
    List<List<Integer>> largest = new ArrayList<>(groups.values());
    largest.removeIf(group -> group.size() < 2);
    largest.sort(
        Comparator.comparingInt((List<Integer> group) -> -group.size())
            .thenComparing(group -> group.get(0)));
    List<TraceProfile.Prefix> prefixes = new ArrayList<>();
    int[] seen = new int[Math.toIntExact(trace.blockCount())];
    for (List<Integer> group : largest.subList(0, Math.min(MOST_PREFIXES, largest.size()))) {
      prefixes.add(
          new TraceProfile.Prefix(
              (double) group.size() / sessions.size(), Knots.of(common(group, seen))));
    }
    return prefixes;
  }

  /** For each first prompt of a group, how many leading blocks any other of them has too. */
  private double[] common(List<Integer> group, int[] seen) {
    for (int r : group) {
      walk(r, seen, 1);
    }
    double[] common = new double[group.size()];
    for (int i = 0; i < common.length; i++) {
      common[i] = shared(group.get(i), seen);
    }
    for (int r : group) {
      walk(r, seen, -1);
    }
    return common;
  }

  private void walk(int r, int[] seen, int by) {
    for (int run = trace.runStart(r); run < trace.promptRunEnd(r); run++) {
      for (int i = 0; i < trace.runLength(run); i++) {
        seen[trace.runFirst(run) + i] += by;
      }
    }
  }

  private int shared(int r, int[] seen) {
    int shared = 0;
    for (int run = trace.runStart(r); run < trace.promptRunEnd(r); run++) {
      for (int i = 0; i < trace.runLength(run); i++) {
        if (seen[trace.runFirst(run) + i] < 2) {
          return shared;
        }
        shared++;
      }
    }
    return shared;
  }
}

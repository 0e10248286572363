package io.orrery.traces.synthesis;

import io.orrery.traces.EdgeTrigger;
import io.orrery.traces.Trace;
import io.orrery.traces.analysis.Marginals;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Fits the shape of sessions of one kind. */
final class ShapeFit {
  private static final Set<String> CALLS_A_TOOL = Set.of("tool_use", "tool_calls");

  /** A turn that keeps less of its context has been rewritten. */
  private static final double REWRITTEN = 0.9;

  private static final int LENGTH_GROUPS = 8;

  private final Trace trace;
  private final boolean stateless;

  private final List<Integer> turns = new ArrayList<>();
  private final List<Integer> firstInput = new ArrayList<>();
  private final List<Integer> output = new ArrayList<>();
  private final List<Long> toolWait = new ArrayList<>();
  private final List<Long> otherWait = new ArrayList<>();
  private final List<Double> kept = new ArrayList<>();
  private final List<Double> rewritten = new ArrayList<>();
  private final List<Integer> growth = new ArrayList<>();
  private final List<Double> keptOutput = new ArrayList<>();
  private final List<Long> total = new ArrayList<>();
  private int toolCalls;

  /** The session that is looked at. */
  private int number;

  private PaceFit toolPace = new PaceFit(new int[0], 0);
  private PaceFit otherPace = toolPace;
  private PaceFit growthPace = toolPace;

  ShapeFit(Trace trace, boolean stateless) {
    this.trace = trace;
    this.stateless = stateless;
  }

  /**
   * The shape of sessions.
   *
   * @param sessions each by its requests, at least one session
   */
  SessionShape of(List<int[]> sessions) {
    int groups = Math.min(LENGTH_GROUPS, sessions.size());
    int[] groupOf = groups(sessions, groups);
    toolPace = new PaceFit(groupOf, groups);
    otherPace = new PaceFit(groupOf, groups);
    growthPace = new PaceFit(groupOf, groups);
    for (int s = 0; s < sessions.size(); s++) {
      int[] session = sessions.get(s);
      number = s;
      turns.add(session.length);
      firstInput.add(trace.inputTokens(session[0]));
      for (int turn = 0; turn < session.length; turn++) {
        request(session[turn]);
        if (turn > 0) {
          step(session[turn - 1], session[turn]);
        }
      }
    }
    int steps = kept.size() + growth.size() + keptOutput.size();
    return new SessionShape(
        required(turns),
        required(firstInput),
        required(output),
        share(toolCalls, steps),
        knots(toolWait),
        knots(otherWait),
        share(kept.size(), steps),
        knots(kept),
        knots(rewritten),
        share(growth.size(), growth.size() + keptOutput.size()),
        knots(growth),
        knots(keptOutput),
        knots(total),
        longest(sessions),
        toolPace.paces(otherPace),
        growthPace.paces());
  }

  /** By turns, of equal size. */
  private static int[] groups(List<int[]> sessions, int groups) {
    List<Integer> byTurns = new ArrayList<>();
    for (int s = 0; s < sessions.size(); s++) {
      byTurns.add(s);
    }
    byTurns.sort(Comparator.comparingInt(s -> sessions.get(s).length));
    int[] groupOf = new int[sessions.size()];
    for (int i = 0; i < groupOf.length; i++) {
      groupOf[byTurns.get(i)] = (int) ((long) i * groups / groupOf.length);
    }
    return groupOf;
  }

  private void request(int r) {
    output.add(trace.outputTokens(r));
    if (trace.recordedTotalNanos(r) != Trace.NO_TIME) {
      total.add(trace.recordedTotalNanos(r));
    }
  }

  private void step(int before, int r) {
    String reason = trace.recordedFinishReason(before);
    boolean tool =
        trace.recordedTools(before) != null || (reason != null && CALLS_A_TOOL.contains(reason));
    toolCalls += tool ? 1 : 0;
    if (stateless) {
      waits(false, Math.max(0, trace.arrivalNanos(r) - trace.arrivalNanos(before)));
    }
    for (int e = trace.edgeStart(r); e < trace.edgeEnd(r); e++) {
      if (trace.edgeFrom(e) == before && trace.edgeTrigger(e) == EdgeTrigger.COMPLETION) {
        waits(tool, trace.edgeDelayNanos(e));
      }
    }
    int appended = trace.inputTokens(r) - trace.inputTokens(before);
    int blocks = trace.identifiedBlocks(before);
    double share = blocks == 0 ? 1 : (double) Marginals.commonBlocks(trace, before, r) / blocks;
    double ratio = (double) trace.inputTokens(r) / trace.inputTokens(before);
    if (appended < 0 || share < REWRITTEN) {
      kept.add(Math.min(share, ratio));
      rewritten.add(ratio);
    } else if (appended >= trace.outputTokens(before)) {
      growth.add(appended - trace.outputTokens(before));
      growthPace.add(number, appended - trace.outputTokens(before));
    } else {
      keptOutput.add((double) appended / trace.outputTokens(before));
    }
  }

  private void waits(boolean tool, long nanos) {
    (tool ? toolWait : otherWait).add(nanos);
    (tool ? toolPace : otherPace).add(number, nanos);
  }

  private List<Knots> longest(List<int[]> sessions) {
    List<int[]> byTurns = new ArrayList<>(sessions);
    byTurns.sort(Comparator.comparingInt(session -> session.length));
    int groups = Math.min(LENGTH_GROUPS, byTurns.size());
    List<Knots> longest = new ArrayList<>();
    for (int g = 0; g < groups; g++) {
      int from = (int) ((long) byTurns.size() * g / groups);
      int to = (int) ((long) byTurns.size() * (g + 1) / groups);
      longest.add(
          Knots.of(byTurns.subList(from, to).stream().mapToDouble(this::longestPrompt).toArray()));
    }
    return longest;
  }

  private double longestPrompt(int[] session) {
    int longest = 0;
    for (int r : session) {
      longest = Math.max(longest, trace.inputTokens(r));
    }
    return longest;
  }

  private static double share(int part, int whole) {
    return whole == 0 ? 0 : (double) part / whole;
  }

  private static Knots required(List<Integer> values) {
    return Knots.of(values.stream().mapToDouble(Integer::doubleValue).toArray());
  }

  private static @Nullable Knots knots(List<? extends Number> values) {
    return values.isEmpty()
        ? null
        : Knots.of(values.stream().mapToDouble(Number::doubleValue).toArray());
  }
}

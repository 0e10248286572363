package io.orrery.traces.synthesis;

import io.orrery.traces.Trace;
import io.orrery.traces.analysis.Marginals;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Fits the shape of sessions: what all of them have in common, and what only a kind has. */
final class ShapeFit {
  private static final Set<String> CALLS_A_TOOL = Set.of("tool_use", "tool_calls");

  /** A turn that keeps less of its context has been rewritten. */
  private static final double REWRITTEN = 0.9;

  private final Trace trace;
  private final boolean stateless;
  private final List<int[]> sessions;

  /** Whether any wait is known; else the times between starts are taken for waits. */
  private final boolean anyWait;

  private final CutOff cutOff;
  private final KindsOfSessions kinds;
  private final BeginningsFit tree;
  private final List<OfKind> ofKinds = new ArrayList<>();

  private final Samples kept = new Samples();
  private final Samples rewritten = new Samples();
  private final Samples keptOutput = new Samples();
  private final Samples total = new Samples();
  private final CompactionFit compactions;
  private final PaceFit toolPace;
  private final PaceFit otherPace;
  private final GrowthFit growth;

  /**
   * @param sessions each by its requests, at least one session
   * @param stateless whether they were put together from requests
   */
  ShapeFit(Trace trace, boolean stateless, List<int[]> sessions) {
    this.trace = trace;
    this.stateless = stateless;
    this.sessions = sessions;
    anyWait = sessions.stream().anyMatch(this::hasWait);
    tree = new BeginningsFit(trace, sessions);
    cutOff = new CutOff(trace, stateless, sessions);
    kinds = new KindsOfSessions(cutOff.turns(), tree);
    toolPace = new PaceFit(kinds.ofAll(), kinds.count(), true);
    otherPace = new PaceFit(kinds.ofAll(), kinds.count(), true);
    growth = new GrowthFit(kinds);
    compactions = new CompactionFit(kinds.count());
    for (int k = 0; k < kinds.count(); k++) {
      ofKinds.add(new OfKind());
    }
  }

  /** What is collected of a kind. */
  private static final class OfKind {
    private final Samples turns = new Samples();
    private final Samples firstInput = new Samples();
    private final Samples output = new Samples();
    private final Samples toolShare = new Samples();
    private final WeightedSamples toolWait = new WeightedSamples();
    private final WeightedSamples otherWait = new WeightedSamples();
    private int longest;
    private int rewrites;
    private int grown;
    private int others;
    private int starters;

    private static double share(int part, int whole) {
      return whole == 0 ? 0 : (double) part / whole;
    }
  }

  /**
   * The shape.
   *
   * @param starts for each session, whether it started others
   */
  SessionShape shape(boolean[] starts) {
    for (int s = 0; s < sessions.size(); s++) {
      session(s);
      ofKinds.get(kinds.of(s)).starters += starts[s] ? 1 : 0;
    }
    List<Pace> waits = toolPace.paces(otherPace);
    GrowthFit.Result grown = growth.result();
    List<SessionKind> fitted = new ArrayList<>();
    for (int k = 0; k < kinds.count(); k++) {
      OfKind kind = ofKinds.get(k);
      int members = kind.turns.size();
      int steps = kind.rewrites + kind.grown + kind.others;
      fitted.add(
          new SessionKind(
              (double) members / sessions.size(),
              kinds.beginning(k),
              kind.turns.some(),
              kind.firstInput.some(),
              kind.output.some(),
              kind.toolShare.knots(),
              kind.toolWait.knots(),
              kind.otherWait.knots(),
              OfKind.share(kind.rewrites, steps),
              OfKind.share(kind.grown, kind.grown + kind.others),
              compactions.limited(k),
              kind.longest,
              waits.get(k),
              grown.paces().get(k),
              (double) kind.starters / members));
    }
    return new SessionShape(
        fitted,
        tree.beginnings(),
        kept.knots(),
        rewritten.knots(),
        grown.growth(),
        keptOutput.knots(),
        compactions.compaction(),
        total.knots());
  }

  private void session(int number) {
    int[] session = sessions.get(number);
    OfKind kind = ofKinds.get(kinds.of(number));
    kind.turns.add(cutOff.turns()[number]);
    kind.firstInput.add(trace.inputTokens(session[0]));
    int tools = 0;
    int known = 0;
    int grownTo = 0;
    boolean compacted = false;
    int turns = 0;
    for (int turn = 0; turn < session.length; turn++) {
      int r = session[turn];
      kind.output.add(trace.outputTokens(r));
      kind.longest = Math.max(kind.longest, trace.inputTokens(r));
      if (trace.recordedTotalNanos(r) != Trace.NO_TIME) {
        total.add(trace.recordedTotalNanos(r));
      }
      if (turn > 0) {
        boolean tool = callsATool(session[turn - 1]);
        known += wait(number, session[turn - 1], r, tool) ? 1 : 0;
        tools += tool ? 1 : 0;
        boolean compacts = step(number, ++turns, session[turn - 1], r);
        turns = compacts ? 0 : turns;
        compacted |= compacts;
      }
      grownTo = compacted ? grownTo : Math.max(grownTo, trace.inputTokens(r));
    }
    if (known > 0) {
      kind.toolShare.add((double) tools / known);
    }
    compactions.session(kinds.of(number), grownTo, compacted);
  }

  private boolean hasWait(int[] session) {
    for (int turn = 1; turn < session.length; turn++) {
      if (Marginals.waitAfter(trace, session[turn - 1], session[turn]) >= 0) {
        return true;
      }
    }
    return false;
  }

  private boolean callsATool(int r) {
    String reason = trace.recordedFinishReason(r);
    return trace.recordedTools(r) != null || (reason != null && CALLS_A_TOOL.contains(reason));
  }

  /** Takes the wait before a turn; returns whether it is known what the turn followed. */
  private boolean wait(int session, int before, int r, boolean tool) {
    long sinceStart = Math.max(0, trace.arrivalNanos(r) - trace.arrivalNanos(before));
    long wait = Marginals.waitAfter(trace, before, r);
    if (stateless || (!anyWait && wait < 0)) {
      waits(session, tool, sinceStart, cutOff.weight(sinceStart));
    } else if (wait >= 0) {
      waits(session, tool, wait, cutOff.weight(sinceStart));
    }
    return tool || wait >= 0 || trace.recordedFinishReason(before) != null || !anyWait;
  }

  private void waits(int session, boolean tool, long nanos, double weight) {
    OfKind kind = ofKinds.get(kinds.of(session));
    (tool ? kind.toolWait : kind.otherWait).add(nanos, weight);
    (tool ? toolPace : otherPace).add(session, nanos);
  }

  /**
   * Whether the context was compacted.
   *
   * @param turns since it was, or since it began
   */
  private boolean step(int session, int turns, int before, int r) {
    OfKind kind = ofKinds.get(kinds.of(session));
    int appended = trace.inputTokens(r) - trace.inputTokens(before);
    int blocks = trace.identifiedBlocks(before);
    double share = blocks == 0 ? 1 : (double) Marginals.commonBlocks(trace, before, r) / blocks;
    double ratio = (double) trace.inputTokens(r) / trace.inputTokens(before);
    if (!stateless && CompactionFit.compacts(Math.min(share, ratio), ratio)) {
      compactions.compaction(trace.inputTokens(r), Math.min(share, ratio));
      return true;
    }
    if (appended < 0 || share < REWRITTEN) {
      kept.add(Math.min(share, ratio));
      rewritten.add(ratio);
      kind.rewrites++;
    } else if (appended >= trace.outputTokens(before)) {
      growth.add(session, turns, trace.inputTokens(before), appended - trace.outputTokens(before));
      kind.grown++;
    } else {
      keptOutput.add((double) appended / trace.outputTokens(before));
      kind.others++;
    }
    return false;
  }
}

package io.orrery.traces.synthesis;

import io.orrery.traces.Trace;
import org.jspecify.annotations.Nullable;

/** Draws sessions of one shape. */
final class SessionDrawing {
  private static final int MOST_TOKENS = 1_000_000_000;

  private final SessionShape shape;
  private final PromptBlocks prompts;
  private final KindDrawing kinds;

  SessionDrawing(
      TraceProfile profile, SessionShape shape, BlockSource source, long seed, String purpose) {
    this.shape = shape;
    prompts = new PromptBlocks(profile, shape.beginnings(), source);
    kinds = new KindDrawing(shape, seed, purpose);
  }

  /** A session of at most so many requests, its waits as edges. Starts are not set. */
  SyntheticSession draw(@Nullable SyntheticSession parent, int most, RandomStream stream) {
    SyntheticSession session = new SyntheticSession(parent);
    KindDrawing.Drawn drawn = kinds.next();
    SessionKind kind = drawn.kind();
    double[] ranks = drawn.ranks();
    session.startsOthers = Trait.SUB_AGENTS.of(ranks) < kind.subAgentShare();
    long wanted = Math.round(kind.turns().at(Trait.TURNS.of(ranks)));
    int turns = (int) Math.max(1, Math.min(most, wanted));
    Knots toolShare = kind.toolShare();
    Own own =
        new Own(
            kind,
            Pace.normal(Trait.WAITS.of(ranks)),
            Pace.normal(Trait.GROWTHS.of(ranks)),
            toolShare == null ? 0 : toolShare.at(Trait.TOOLS.of(ranks)));
    double limitRank = Trait.LIMIT.of(ranks) / kind.limitedShare();
    own.limited = limitRank < 1;
    own.limit = limit(own, limitRank);
    SyntheticCall before = null;
    for (int turn = 0; turn < turns; turn++) {
      SyntheticCall call = new SyntheticCall(session, turn == 0);
      call.output = tokens(kind.output().drawWhole(stream));
      call.callsTool = stream.chance(own.toolShare);
      Knots total = shape.total();
      call.totalNanos = total == null ? Trace.NO_TIME : Math.max(0, total.drawWhole(stream));
      if (before == null) {
        call.input = tokens(Math.round(kind.firstInput().at(Trait.FIRST_INPUT.of(ranks))));
        prompts.begin(call, drawn.beginning());
      } else {
        step(before, call, own, stream);
        call.after(before, wait(before, own, stream));
      }
      session.calls.add(call);
      before = call;
    }
    return session;
  }

  /** A session's own ways. */
  private static final class Own {
    private final SessionKind kind;
    private final double waiting;
    private final double growing;
    private final double toolShare;

    /** Where its context is compacted next. */
    private double limit;

    private boolean limited;

    /** Turns since its context began or was compacted. */
    private int turns;

    Own(SessionKind kind, double waiting, double growing, double toolShare) {
      this.kind = kind;
      this.waiting = waiting;
      this.growing = growing;
      this.toolShare = toolShare;
    }
  }

  private double limit(Own own, double rank) {
    Compaction compaction = shape.compaction();
    return own.limited && compaction != null
        ? Math.min(own.kind.longest(), compaction.limit().at(rank))
        : own.kind.longest();
  }

  private long wait(SyntheticCall before, Own own, RandomStream stream) {
    SessionKind kind = own.kind;
    Knots usual = before.callsTool ? kind.toolWait() : kind.otherWait();
    Knots other = before.callsTool ? kind.otherWait() : kind.toolWait();
    Knots wait = usual == null ? other : usual;
    double rank = kind.waits().rank(own.waiting, stream);
    return wait == null ? 0 : Math.max(0, Math.round(wait.at(rank)));
  }

  private void step(SyntheticCall before, SyntheticCall call, Own own, RandomStream stream) {
    Knots kept = shape.kept();
    Knots rewritten = shape.rewritten();
    Compaction compaction = shape.compaction();
    own.turns++;
    long length = (long) before.input + appended(before, own, stream);
    if (compaction != null && length > own.limit) {
      call.input = tokens(Math.min(before.input, compaction.length().drawWhole(stream)));
      prompts.keep(before, call, compaction.kept().draw(stream));
      own.turns = 0;
      own.limit = limit(own, stream.uniform());
    } else if (kept != null && rewritten != null && stream.chance(own.kind.rewriteShare())) {
      call.input =
          tokens(Math.min(own.kind.longest(), Math.round(before.input * rewritten.draw(stream))));
      prompts.keep(before, call, kept.draw(stream));
    } else {
      call.input = tokens(Math.max(before.input, Math.min(own.kind.longest(), length)));
      prompts.goOn(before, call);
    }
  }

  private long appended(SyntheticCall before, Own own, RandomStream stream) {
    Growth growth = shape.growth();
    Knots keptOutput = shape.keptOutput();
    boolean grows = stream.chance(own.kind.grownShare()) || keptOutput == null;
    if (grows) {
      double grown =
          growth == null
              ? 0
              : growth.at(own.turns, before.input).at(own.kind.growths().rank(own.growing, stream));
      return before.output + Math.round(Math.max(0, grown));
    }
    return Math.max(
        0, Math.round(before.output * (keptOutput == null ? 0 : keptOutput.draw(stream))));
  }

  private static int tokens(long wanted) {
    return (int) Math.max(1, Math.min(MOST_TOKENS, wanted));
  }
}

package io.orrery.traces.synthesis;

import io.orrery.traces.Trace;
import io.orrery.traces.synthesis.TraceProfile.Prefix;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Draws sessions of one kind. */
final class SessionDrawing {
  private static final int MOST_TOKENS = 1_000_000_000;
  private static final double LEAST_PACE = 0.5;

  private final SessionShape shape;
  private final List<Prefix> prefixes;
  private final int[] prefixFirsts;
  private final int blockSize;
  private final boolean blocksKnown;
  private final BlockSource source;
  private final boolean stateless;

  /** Tokens by which a turn is longer than the one before, in the mean. */
  private final double meanAppended;

  SessionDrawing(
      TraceProfile profile, SessionShape shape, List<Prefix> prefixes, BlockSource source) {
    this.shape = shape;
    this.prefixes = prefixes;
    this.source = source;
    blockSize = profile.blockSize();
    blocksKnown = profile.blocksKnown();
    stateless = profile.stateless();
    Knots growth = shape.growth();
    meanAppended =
        shape.output().mean() + (growth == null ? 0 : shape.grownShare() * growth.mean());
    prefixFirsts = source.reserve(prefixes);
  }

  /** A session of at most so many requests, its waits as edges. Starts are not set. */
  SyntheticSession draw(@Nullable SyntheticSession parent, int most, RandomStream stream) {
    SyntheticSession session = new SyntheticSession(parent);
    double rank = stream.uniform();
    int turns = (int) Math.max(1, Math.min(most, Math.round(shape.turns().at(rank))));
    List<Knots> groups = shape.longest();
    Knots group = groups.get(Math.min(groups.size() - 1, (int) (rank * groups.size())));
    long longest = group.drawWhole(stream);
    SyntheticCall before = null;
    for (int turn = 0; turn < turns; turn++) {
      SyntheticCall call = new SyntheticCall(session, turn == 0);
      call.output = tokens(shape.output().drawWhole(stream));
      call.callsTool = stream.chance(shape.toolShare());
      Knots total = shape.total();
      call.totalNanos = total == null ? Trace.NO_TIME : Math.max(0, total.drawWhole(stream));
      if (before == null) {
        begin(call, stream);
      } else {
        step(before, call, limits(session, turns, longest), stream);
        call.after(before, wait(before, stream));
      }
      session.calls.add(call);
      before = call;
    }
    return session;
  }

  /**
   * What a session's contexts grow to, and how fast for that.
   *
   * @param pace factor of what is drawn
   */
  private record Limits(long longest, double pace) {}

  /** Sessions differ in how fast they grow: so fast that they end up at their longest prompt. */
  private Limits limits(SyntheticSession session, int turns, long longest) {
    int first = session.calls.get(0).input;
    double wanted = (longest - first) / (turns - 1.0);
    double pace = Math.max(LEAST_PACE, Math.min(1 / LEAST_PACE, wanted / meanAppended));
    return new Limits(Math.max(longest, first), pace);
  }

  private long wait(SyntheticCall before, RandomStream stream) {
    Knots own = before.callsTool ? shape.toolWait() : shape.otherWait();
    Knots other = before.callsTool ? shape.otherWait() : shape.toolWait();
    Knots wait = own == null ? other : own;
    return wait == null
        ? 0
        : Math.max(0, stateless ? wait.drawKnot(stream) : wait.drawWhole(stream));
  }

  private void begin(SyntheticCall call, RandomStream stream) {
    call.input = tokens(shape.firstInput().drawWhole(stream));
    double rank = stream.uniform();
    int shared = 0;
    int first = 0;
    for (int i = 0; i < prefixes.size() && shared == 0; i++) {
      rank -= prefixes.get(i).share();
      if (rank < 0) {
        shared = (int) Math.round(prefixes.get(i).blocks().draw(stream));
        first = prefixFirsts[i];
        rank = Double.POSITIVE_INFINITY;
      }
    }
    if (blocksKnown) {
      call.blocks = call.input / blockSize;
      int kept = Math.min(shared, call.blocks);
      call.promptRuns =
          extended(kept == 0 ? new int[0] : new int[] {first, kept}, kept, call.blocks);
    }
  }

  private void step(SyntheticCall before, SyntheticCall call, Limits limits, RandomStream stream) {
    Knots kept = shape.kept();
    Knots rewritten = shape.rewritten();
    boolean rewrites = stream.chance(shape.rewriteShare());
    long length = (long) before.input + appended(before, limits.pace(), stream);
    if (kept != null && rewritten != null && rewrites) {
      call.input =
          tokens(Math.min(limits.longest(), Math.round(before.input * rewritten.draw(stream))));
      fill(before, call, (int) (before.blocks * Math.min(1, kept.draw(stream))));
    } else {
      call.input = tokens(Math.min(Math.max(limits.longest(), before.input), length));
      fill(before, call, before.blocks);
      nameCompletion(before, call);
    }
  }

  private long appended(SyntheticCall before, double pace, RandomStream stream) {
    Knots growth = shape.growth();
    Knots keptOutput = shape.keptOutput();
    boolean grows = stream.chance(shape.grownShare()) || keptOutput == null;
    if (grows) {
      return before.output
          + (growth == null ? 0 : Math.round(pace * Math.max(0, growth.draw(stream))));
    }
    return Math.max(
        0, Math.round(before.output * (keptOutput == null ? 0 : keptOutput.draw(stream))));
  }

  private void fill(SyntheticCall before, SyntheticCall call, int keptBlocks) {
    if (blocksKnown) {
      call.blocks = call.input / blockSize;
      int kept = Math.min(keptBlocks, call.blocks);
      call.promptRuns = extended(leading(before.promptRuns, 0, kept), kept, call.blocks);
    }
  }

  /** The blocks of an output that the next prompt brings back; see {@code CompletionNaming}. */
  private void nameCompletion(SyntheticCall before, SyntheticCall call) {
    long length = (long) before.input + before.output;
    if (!blocksKnown || call.input < length) {
      return;
    }
    int touched = (int) ((length - 1 + blockSize - 1) / blockSize);
    int upTo = Math.max(before.blocks, Math.min(call.blocks, touched));
    before.completionRuns = leading(call.promptRuns, before.blocks, upTo);
  }

  private int[] extended(int[] runs, int blocks, int wanted) {
    if (wanted == blocks) {
      return runs;
    }
    int first = source.fresh(wanted - blocks);
    int last = runs.length - 2;
    if (last >= 0 && runs[last] + runs[last + 1] == first) {
      int[] longer = runs.clone();
      longer[last + 1] += wanted - blocks;
      return longer;
    }
    int[] more = Arrays.copyOf(runs, runs.length + 2);
    more[runs.length] = first;
    more[runs.length + 1] = wanted - blocks;
    return more;
  }

  /** Blocks [from, to) of a list. */
  private static int[] leading(int[] runs, int from, int to) {
    int[] slice = new int[runs.length];
    int size = 0;
    int position = 0;
    for (int i = 0; i < runs.length && position < to; i += 2) {
      int begin = Math.max(from, position);
      int end = Math.min(to, position + runs[i + 1]);
      if (begin < end) {
        slice[size++] = runs[i] + begin - position;
        slice[size++] = end - begin;
      }
      position += runs[i + 1];
    }
    return Arrays.copyOf(slice, size);
  }

  private static int tokens(long wanted) {
    return (int) Math.max(1, Math.min(MOST_TOKENS, wanted));
  }
}

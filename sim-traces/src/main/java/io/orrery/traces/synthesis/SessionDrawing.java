package io.orrery.traces.synthesis;

import io.orrery.traces.Trace;
import io.orrery.traces.synthesis.TraceProfile.Prefix;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Draws sessions of one kind. */
final class SessionDrawing {
  private static final int MOST_TOKENS = 1_000_000_000;

  /**
   * How far a context may outgrow the longest prompt that was drawn for its session before it is
   * rewritten, to one of the shorter lengths that rewritten ones have. A longest prompt is seldom a
   * limit: most sessions end before theirs. Of 1, 1.4, 1.5 and 2, values around 1.5 came nearest to
   * the prompts of kv-cache-tester's Claude Code sessions.
   */
  private static final double OUTGROWN = 1.6;

  private final SessionShape shape;
  private final List<Prefix> prefixes;
  private final int[] prefixFirsts;
  private final int blockSize;
  private final boolean blocksKnown;
  private final BlockSource source;
  private final boolean stateless;

  /** The longest prompt of all. */
  private final long window;

  SessionDrawing(
      TraceProfile profile, SessionShape shape, List<Prefix> prefixes, BlockSource source) {
    this.shape = shape;
    this.prefixes = prefixes;
    this.source = source;
    blockSize = profile.blockSize();
    blocksKnown = profile.blocksKnown();
    stateless = profile.stateless();
    window = shape.longest().stream().mapToLong(own -> (long) own.at(1)).max().orElse(MOST_TOKENS);
    prefixFirsts = source.reserve(prefixes);
  }

  /** A session of at most so many requests, its waits as edges. Starts are not set. */
  SyntheticSession draw(@Nullable SyntheticSession parent, int most, RandomStream stream) {
    SyntheticSession session = new SyntheticSession(parent);
    double rank = stream.uniform();
    int turns = (int) Math.max(1, Math.min(most, Math.round(shape.turns().at(rank))));
    List<Knots> groups = shape.longest();
    int group = Math.min(groups.size() - 1, (int) (rank * groups.size()));
    Own own =
        new Own(
            pace(shape.waits(), group),
            stream.normal(),
            pace(shape.growths(), group),
            stream.normal(),
            longest(groups.get(group), stream));
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
        step(before, call, own, stream);
        call.after(before, wait(before, own, stream));
      }
      session.calls.add(call);
      before = call;
    }
    return session;
  }

  /** A session's own ways. */
  private record Own(Pace waits, double waiting, Pace growths, double growing, long longest) {}

  /** Prompts that were put together to conversations go on, or they would be none. */
  private long longest(Knots ofGroup, RandomStream stream) {
    return stateless ? window : (long) (OUTGROWN * ofGroup.draw(stream));
  }

  private static Pace pace(@Nullable List<Pace> paces, int group) {
    return paces == null ? Pace.NONE : paces.get(group);
  }

  private long wait(SyntheticCall before, Own own, RandomStream stream) {
    Knots usual = before.callsTool ? shape.toolWait() : shape.otherWait();
    Knots other = before.callsTool ? shape.otherWait() : shape.toolWait();
    Knots wait = usual == null ? other : usual;
    double rank = own.waits().rank(own.waiting(), stream);
    return wait == null
        ? 0
        : Math.max(0, stateless ? wait.knotAt(rank, stream) : Math.round(wait.at(rank)));
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

  private void step(SyntheticCall before, SyntheticCall call, Own own, RandomStream stream) {
    Knots kept = shape.kept();
    Knots rewritten = shape.rewritten();
    long length = (long) before.input + appended(before, own, stream);
    boolean outgrown = length > own.longest();
    boolean rewrites = stream.chance(shape.rewriteShare()) || outgrown;
    if (kept != null && rewritten != null && rewrites) {
      double rank = stream.uniform();
      call.input =
          tokens(
              Math.min(
                  own.longest(),
                  Math.round(before.input * rewritten.at(outgrown ? rank / 2 : rank))));
      fill(before, call, (int) (before.blocks * Math.min(1, kept.draw(stream))));
    } else {
      call.input = tokens(Math.min(Math.max(own.longest(), before.input), length));
      fill(before, call, before.blocks);
      nameCompletion(before, call);
    }
  }

  private long appended(SyntheticCall before, Own own, RandomStream stream) {
    Knots growth = shape.growth();
    Knots keptOutput = shape.keptOutput();
    boolean grows = stream.chance(shape.grownShare()) || keptOutput == null;
    if (grows) {
      return before.output
          + (growth == null
              ? 0
              : Math.round(Math.max(0, growth.at(own.growths().rank(own.growing(), stream)))));
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

package io.orrery.traces;

import io.orrery.traces.columns.IntColumn;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/** Says in what a second trace differs from a first; blocks may have other numbers. */
public final class TraceComparison {
  private final Trace first;
  private final Trace second;
  private final Map<String, Long> differences = new LinkedHashMap<>();

  /** The second trace's block for each of the first, and the first's for the second's; else -1. */
  private final IntColumn counterparts;

  private final IntColumn reverse;

  /** The request of the second trace for each of the first. */
  private IntColumn match = new IntColumn();

  private TraceComparison(Trace first, Trace second) {
    this.first = first;
    this.second = second;
    counterparts = IntColumn.filled(Math.toIntExact(first.blockCount()), -1);
    reverse = IntColumn.filled(Math.toIntExact(second.blockCount()), -1);
  }

  /** Sentences that say what differs and how often, in a fixed order; none for equal traces. */
  public static List<String> differences(Trace first, Trace second) {
    TraceComparison comparison = new TraceComparison(first, second);
    List<String> sentences = comparison.compare();
    comparison.counterparts.release();
    comparison.reverse.release();
    return sentences;
  }

  private List<String> compare() {
    if (first.requestCount() != second.requestCount()) {
      return List.of(
          String.format(
              Locale.ROOT,
              "%,d requests become %,d.",
              first.requestCount(),
              second.requestCount()));
    }
    match = RequestMatching.of(first, second);
    note("the order of requests", isInOrder());
    note("the size of blocks", first.blockSize() == second.blockSize());
    note("whether sessions share a clock", first.sharedClock() == second.sharedClock());
    for (int r = 0; r < match.size(); r++) {
      compareRequest(r, match.get(r));
    }
    List<String> sentences = new ArrayList<>();
    differences.forEach(
        (what, count) ->
            sentences.add(
                count == 0
                    ? "Lost: " + what + "."
                    : String.format(
                        Locale.ROOT,
                        "Lost: %s (%,d of %,d requests).",
                        what,
                        count,
                        first.requestCount())));
    return sentences;
  }

  private boolean isInOrder() {
    for (int r = 0; r < match.size(); r++) {
      if (match.get(r) != r) {
        return false;
      }
    }
    return true;
  }

  private void compareRequest(int a, int b) {
    count("request ids", first.requestId(a).equals(second.requestId(b)));
    int s = first.session(a);
    int t = second.session(b);
    count("session ids", first.sessionId(s).equals(second.sessionId(t)));
    count("parents of sessions", sameParent(s, t));
    count("turns", first.turn(a) == second.turn(b));
    count("prompt tokens", first.inputTokens(a) == second.inputTokens(b));
    count("output tokens", first.outputTokens(a) == second.outputTokens(b));
    count("starts", first.arrivalNanos(a) == second.arrivalNanos(b));
    count("waits for other requests", sameEdges(a, b));
    count("priorities", first.priority(a) == second.priority(b));
    count("blocks of prompts", sameBlocks(a, b, false));
    count("blocks of outputs", sameBlocks(a, b, true));
    count("names of partial blocks", first.partialBlock(a) < 0 || second.partialBlock(b) >= 0);
    count(
        "recorded times to first token", first.recordedTtftNanos(a) == second.recordedTtftNanos(b));
    count("recorded total times", first.recordedTotalNanos(a) == second.recordedTotalNanos(b));
    count(
        "recorded cached tokens", first.recordedCachedTokens(a) == second.recordedCachedTokens(b));
    count("models", Objects.equals(first.model(a), second.model(b)));
    count("adapters", Objects.equals(first.adapter(a), second.adapter(b)));
    count("recorded workers", Objects.equals(first.recordedWorker(a), second.recordedWorker(b)));
    count(
        "recorded finish reasons",
        Objects.equals(first.recordedFinishReason(a), second.recordedFinishReason(b)));
    count("recorded tools", Objects.equals(first.recordedTools(a), second.recordedTools(b)));
  }

  /** Sessions may have other names, so they are told by their requests. */
  private boolean sameParent(int s, int t) {
    int parent = first.parentSession(s);
    int other = second.parentSession(t);
    return (parent < 0 || other < 0)
        ? parent == other
        : second.session(match.get(first.firstRequest(parent))) == other;
  }

  /** Mostly they are in the same order, and nothing needs to be put into sets. */
  private boolean sameEdges(int a, int b) {
    int count = first.edgeEnd(a) - first.edgeStart(a);
    boolean same = count == second.edgeEnd(b) - second.edgeStart(b);
    for (int i = 0; i < count && same; i++) {
      int e = first.edgeStart(a) + i;
      int f = second.edgeStart(b) + i;
      same =
          match.get(first.edgeFrom(e)) == second.edgeFrom(f)
              && first.edgeTrigger(e) == second.edgeTrigger(f)
              && first.edgeDelayNanos(e) == second.edgeDelayNanos(f);
    }
    return same || edges(first, a, true).equals(edges(second, b, false));
  }

  /** Edges in the second trace's request numbers, in no particular order. */
  private Set<String> edges(Trace trace, int r, boolean translate) {
    Set<String> edges = new TreeSet<>();
    for (int e = trace.edgeStart(r); e < trace.edgeEnd(r); e++) {
      int from = translate ? match.get(trace.edgeFrom(e)) : trace.edgeFrom(e);
      edges.add(from + " " + trace.edgeTrigger(e) + " " + trace.edgeDelayNanos(e));
    }
    return edges;
  }

  /**
   * Ids are chained: a block stands for all before it. So the lists are compared from their ends
   * down to a pair of blocks that an earlier request had, too.
   */
  private boolean sameBlocks(int a, int b, boolean named) {
    int count = named ? first.namedBlocks(a) : first.identifiedBlocks(a);
    int other = named ? second.namedBlocks(b) : second.identifiedBlocks(b);
    if (count != other) {
      return false;
    }
    if (count == 0) {
      return true;
    }
    BlocksBackwards blocks = new BlocksBackwards(first, a, count - 1);
    BlocksBackwards others = new BlocksBackwards(second, b, count - 1);
    for (int left = count; left > 0; left--) {
      int counterpart = counterparts.get(blocks.block());
      int back = reverse.get(others.block());
      if (counterpart >= 0 || back >= 0) {
        return counterpart == others.block() && back == blocks.block();
      }
      counterparts.set(blocks.block(), others.block());
      reverse.set(others.block(), blocks.block());
      if (left > 1) {
        blocks.back();
        others.back();
      }
    }
    return true;
  }

  private void note(String what, boolean same) {
    if (!same) {
      differences.putIfAbsent(what, 0L);
    }
  }

  private void count(String what, boolean same) {
    if (!same) {
      differences.merge(what, 1L, Long::sum);
    }
  }
}

package io.orrery.engine.reference;

import io.orrery.engine.reference.RunSpec.EdgeSpec;
import io.orrery.engine.reference.RunSpec.RequestSpec;
import io.orrery.engine.reference.RunSpec.SessionSpec;
import io.orrery.traces.EdgeTrigger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Random small traces with everything that agent sessions have: growing contexts, shared and
 * identical prompts, rewritten prefixes, prompts without identity, block-aligned lengths, children
 * that are spawned and joined.
 */
final class RandomTraces {
  private final SplittableRandom random;
  private final int blockSize;
  private final int unit;
  private final long unitNanos;
  private final boolean everythingHasArrival;
  private final boolean priorities;
  private final double alignment;
  private final int longestOutput;
  private final long[][] sharedPrefixes = new long[2][];
  private final List<SessionSpec> sessions = new ArrayList<>();
  private final List<RequestSpec> all = new ArrayList<>();
  private long freshHash = 1;
  private int left;

  /**
   * @param blockSize tokens of a trace block
   * @param unit tokens that prompts are measured in, about an engine's block
   * @param unitNanos what most times are multiples of
   */
  RandomTraces(SplittableRandom random, int blockSize, int unit, long unitNanos) {
    this.random = random;
    this.blockSize = blockSize;
    this.unit = unit;
    this.unitNanos = unitNanos;
    everythingHasArrival = random.nextInt(3) > 0;
    priorities = random.nextInt(3) == 0;
    alignment = random.nextInt(3) * 0.4;
    longestOutput = random.nextInt(50) == 0 ? 2500 : new int[] {3, 20, 60, 200}[random.nextInt(4)];
    for (int i = 0; i < sharedPrefixes.length; i++) {
      sharedPrefixes[i] = fresh(1 + random.nextInt(6));
    }
  }

  /** Sessions with up to {@code requests} requests together. */
  List<SessionSpec> sessions(int requests) {
    left = requests;
    while (left > 0) {
      long start = random.nextInt(8) * (random.nextBoolean() ? unitNanos : 5 * unitNanos);
      session(null, null, start, random.nextInt(5) == 0 ? 1 : 1 + random.nextInt(6), 0);
    }
    return sessions;
  }

  private long[] fresh(int count) {
    long[] hashes = new long[count];
    for (int i = 0; i < count; i++) {
      hashes[i] = freshHash++;
    }
    return hashes;
  }

  private void session(String parent, EdgeSpec spawn, long start, int turns, int depth) {
    String id = (parent == null ? "s" : parent + "c") + sessions.size();
    List<RequestSpec> requests = new ArrayList<>();
    int place = sessions.size();
    sessions.add(new SessionSpec(id, parent, requests));
    long arrival = start;
    RequestSpec previous = null;
    List<EdgeSpec> joins = new ArrayList<>();
    for (int turn = 0; turn < turns && left > 0; turn++) {
      left--;
      List<EdgeSpec> edges = new ArrayList<>(joins);
      joins.clear();
      if (previous == null && spawn != null) {
        edges.add(spawn);
      } else if (previous != null && random.nextInt(12) > 0) {
        boolean overlapping = random.nextInt(10) == 0;
        edges.add(
            new EdgeSpec(
                previous.id(),
                overlapping ? EdgeTrigger.DISPATCH : EdgeTrigger.COMPLETION,
                delay()));
      }
      boolean recorded = edges.isEmpty() || everythingHasArrival || random.nextInt(3) == 0;
      RequestSpec request =
          request(id + "-" + turn, previous, recorded ? arrival : -1, List.copyOf(edges));
      requests.add(request);
      all.add(request);
      previous = request;
      if (depth < 2 && left > 0 && random.nextInt(8) == 0) {
        int children = 1 + random.nextInt(2);
        for (int c = 0; c < children && left > 0; c++) {
          joins.addAll(child(id, request, arrival, depth));
        }
      }
      arrival += random.nextInt(4) * unitNanos * (random.nextInt(4) == 0 ? 20 : 1);
    }
    sessions.set(place, new SessionSpec(id, parent, requests));
  }

  /** Spawns a child session and says what its parent waits for, if it does. */
  private List<EdgeSpec> child(String id, RequestSpec by, long arrival, int depth) {
    int before = all.size();
    boolean free = random.nextInt(8) == 0;
    EdgeTrigger trigger = random.nextBoolean() ? EdgeTrigger.DISPATCH : EdgeTrigger.COMPLETION;
    EdgeSpec spawn = free ? null : new EdgeSpec(by.id(), trigger, delay());
    session(id, spawn, arrival + random.nextInt(3) * unitNanos, 1 + random.nextInt(3), depth + 1);
    if (all.size() > before && random.nextBoolean()) {
      return List.of(new EdgeSpec(all.get(all.size() - 1).id(), EdgeTrigger.COMPLETION, delay()));
    }
    return List.of();
  }

  private long delay() {
    return switch (random.nextInt(4)) {
      case 0 -> 0;
      case 1 -> random.nextLong(30 * unitNanos);
      default -> random.nextInt(5) * unitNanos;
    };
  }

  private RequestSpec request(String id, RequestSpec previous, long arrival, List<EdgeSpec> edges) {
    int output = 1 + random.nextInt(longestOutput);
    int priority = priorities ? random.nextInt(3) : 0;
    if (!all.isEmpty() && random.nextInt(12) == 0) {
      RequestSpec twin = all.get(random.nextInt(all.size()));
      return new RequestSpec(id, twin.input(), output, twin.blocks(), arrival, priority, edges);
    }
    long[] context;
    int input;
    int kind = previous == null ? 9 : random.nextInt(10);
    if (kind < 6) {
      // The whole context comes back and grows: by more than the output, or by less.
      input = previous.input() + previous.output() + random.nextInt(2 * unit + 1) - unit / 4;
      input = Math.max(previous.input(), input);
      context = previous.blocks();
      int full = previous.input() / blockSize;
      context = context.length > full ? Arrays.copyOf(context, full) : context;
    } else if (kind < 8) {
      // A prefix is kept, the rest is written anew.
      int kept = previous.blocks().length == 0 ? 0 : random.nextInt(previous.blocks().length);
      context = Arrays.copyOf(previous.blocks(), kept);
      input = Math.max(kept * blockSize, 1) + random.nextInt(6 * unit);
    } else {
      context = random.nextInt(3) == 0 ? new long[0] : sharedPrefixes[random.nextInt(2)];
      input = Math.max(1, context.length * blockSize) + random.nextInt(8 * unit);
    }
    if (random.nextDouble() < alignment) {
      input = Math.max(unit, input / unit * unit);
    }
    return new RequestSpec(id, input, output, named(context, input), arrival, priority, edges);
  }

  /** Hashes of a prompt that begins with {@code context}: mostly of all its full blocks. */
  private long[] named(long[] context, int input) {
    int full = input / blockSize;
    int partial = (input + blockSize - 1) / blockSize;
    int given =
        switch (random.nextInt(12)) {
          case 0 -> random.nextInt(full + 1);
          case 1, 2 -> partial;
          default -> full;
        };
    long[] hashes = Arrays.copyOf(context, given);
    for (int i = context.length; i < given; i++) {
      hashes[i] = freshHash++;
    }
    return hashes;
  }
}

package io.orrery.engine.routing;

import io.orrery.engine.policy.PolicyParameter;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where a prefix-aware policy's beliefs come from: the router's index, or its own decisions, or the
 * index and beside it, for a few seconds, what has just been placed.
 */
final class KvBeliefs {
  static final List<PolicyParameter> PARAMETERS =
      List.of(
          PolicyParameter.choice(
              "index",
              "events",
              List.of("events", "approximate"),
              "Where beliefs come from: the workers' block events, or the router's own decisions."),
          PolicyParameter.choice(
              "approximateEviction",
              "ttl",
              List.of("ttl", "lru"),
              "approximate only: blocks are forgotten after a time, or when a worker's share of them is full (as many as it has"
                  + " KV blocks)."),
          PolicyParameter.duration(
              "approximateTtl",
              "120 s",
              0.001,
              31_536_000,
              "approximate with ttl only: how long a placed block is believed to be there."),
          PolicyParameter.number(
              "approximateBlocks",
              "1048576",
              1,
              1e12,
              "approximate with ttl only: blocks of all workers together above which those that would expire first are"
                  + " forgotten, down to 80 % of it."),
          PolicyParameter.duration(
              "predictedTtl",
              "0 s",
              0,
              31_536_000,
              "events only: how long the blocks of a placed request count as there already before their events come; 0 s is"
                  + " not at all."));

  private final @Nullable PrefixBeliefs events;
  private final @Nullable ApproximateIndex approximate;
  private final @Nullable ApproximateIndex predicted;
  private final boolean byCapacity;
  private final int[] sideDepths;

  KvBeliefs(RoutingContext context) {
    int workers = context.workers();
    byCapacity = context.text("approximateEviction").equals("lru");
    long predictedTtl = context.nanos("predictedTtl");
    if (context.text("index").equals("events")) {
      events = context.beliefs();
      approximate = null;
      predicted =
          predictedTtl == 0 ? null : ApproximateIndex.byTime(workers, predictedTtl, Long.MAX_VALUE);
    } else {
      events = null;
      predicted = null;
      approximate =
          byCapacity
              ? ApproximateIndex.leastRecentlyUsed(workers, Long.MAX_VALUE)
              : ApproximateIndex.byTime(
                  workers,
                  context.nanos("approximateTtl"),
                  (long) context.number("approximateBlocks"));
    }
    sideDepths = new int[workers];
  }

  /** {@link PolicyParameter}s of a policy: {@code own}, then those of its beliefs. */
  static List<PolicyParameter> with(List<PolicyParameter> own) {
    return Stream.concat(own.stream(), PARAMETERS.stream()).toList();
  }

  /** Leading blocks of the prompt that each worker is believed to hold on its device. */
  void depths(RoutedRequest request, int[] depths) {
    if (approximate != null) {
      approximate.depths(request, depths);
    } else if (events != null) {
      events.depths(request, depths);
    }
    if (predicted != null) {
      predicted.depths(request, sideDepths);
      for (int w = 0; w < depths.length; w++) {
        depths[w] = Math.max(depths[w], sideDepths[w]);
      }
    }
  }

  /** Where to ask about tiers below the devices; null if there are none. */
  @Nullable PrefixBeliefs tiers() {
    return events != null && events.hasTiers() ? events : null;
  }

  /** {@code request} went to {@code worker}. */
  void placed(RoutedRequest request, int worker) {
    if (approximate != null) {
      approximate.placed(request, worker);
    } else if (predicted != null) {
      predicted.placed(request, worker);
    }
  }

  /** Tells how many blocks the candidates have room for. */
  void see(Candidates candidates) {
    if (approximate != null && byCapacity) {
      for (int i = 0; i < candidates.size(); i++) {
        approximate.capacity(candidates.get(i).id(), candidates.get(i).totalBlocks());
      }
    }
  }
}

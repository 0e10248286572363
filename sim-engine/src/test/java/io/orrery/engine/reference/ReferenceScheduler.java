package io.orrery.engine.reference;

import io.orrery.engine.Draws;
import io.orrery.engine.scheduler.SchedulerSettings;
import io.orrery.engine.scheduler.Speculation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * vLLM's V1 scheduler as a pair of {@link #schedule} and {@link #update}, from its published rules.
 * Written for clarity: lists, linear searches, one request at a time.
 */
final class ReferenceScheduler implements ReferenceEngine {
  /** Why a request takes part in a step. */
  enum Kind {
    NEW,
    RESUMED,
    RUNNING
  }

  /**
   * A request's part in a step.
   *
   * @param computedBefore tokens in the KV cache before the step; for an admission: the hit
   * @param heldBlocks blocks held after scheduling
   * @param yields whether the step gives an output token
   * @param drafts drafted tokens among the new ones
   */
  record Part(
      ReferenceRequest request,
      Kind kind,
      int computedBefore,
      int newTokens,
      int heldBlocks,
      boolean yields,
      int drafts) {
    Part(
        ReferenceRequest request,
        Kind kind,
        int computedBefore,
        int newTokens,
        int heldBlocks,
        boolean yields) {
      this(request, kind, computedBefore, newTokens, heldBlocks, yields, 0);
    }
  }

  /**
   * What one call of {@link #schedule} decided.
   *
   * @param again whether, if it is empty, another call follows at once
   */
  record Batch(List<Part> parts, List<ReferenceRequest> preempted, boolean again) {
    Batch(List<Part> parts, List<ReferenceRequest> preempted) {
      this(parts, preempted, !preempted.isEmpty());
    }

    int tokens() {
      return parts.stream().mapToInt(Part::newTokens).sum();
    }
  }

  /** Hears decisions as they fall. */
  interface Listener {
    default void lookedUp(ReferenceRequest request, int hitTokens) {}

    default void allocationFailed(ReferenceRequest request) {}

    /** Called before the request takes any block. */
    default void admitting(ReferenceRequest request, int hitTokens) {}

    /** A step computes tokens of a request that nobody can find yet. */
    default void computing(ReferenceRequest request, int from, int to) {}

    default void assigned(ReferenceRequest request, int firstBlock, int endBlock) {}

    default void preempting(ReferenceRequest request) {}

    default void token(ReferenceRequest request) {}

    /** A step verified drafted tokens. */
    default void verified(int drafts, int accepted) {}

    /** The request has ended; it still holds its blocks. */
    default void finishing(ReferenceRequest request, boolean byStopToken) {}

    /** The request is given up for want of memory. */
    default void failing(ReferenceRequest request) {}
  }

  private static final Comparator<ReferenceRequest> URGENCY =
      Comparator.<ReferenceRequest>comparingInt(r -> r.priority)
          .thenComparingDouble(r -> r.arrival)
          .thenComparing(r -> r.id);

  private final SchedulerSettings settings;
  private final ReferenceCache cache;
  private final Listener listener;
  private final Draws luck;
  private final List<ReferenceRequest> running = new ArrayList<>();
  private final List<ReferenceRequest> waiting = new ArrayList<>();

  ReferenceScheduler(SchedulerSettings settings, ReferenceCache cache, Listener listener) {
    this(settings, 0, cache, listener);
  }

  ReferenceScheduler(
      SchedulerSettings settings, long seed, ReferenceCache cache, Listener listener) {
    luck = new Draws(seed, "engine.speculation");
    this.settings = settings;
    this.cache = cache;
    this.listener = listener;
  }

  List<ReferenceRequest> running() {
    return List.copyOf(running);
  }

  /** Waiting requests in the order in which they would be admitted. */
  List<ReferenceRequest> waiting() {
    List<ReferenceRequest> order = new ArrayList<>(waiting);
    if (settings.priorities()) {
      order.sort(URGENCY);
    }
    return order;
  }

  boolean hasRequests() {
    return !running.isEmpty() || !waiting.isEmpty();
  }

  @Override
  public void add(ReferenceRequest request) {
    waiting.add(request);
  }

  /** Ends a request from outside. */
  void abort(ReferenceRequest request) {
    request.finished = true;
    running.remove(request);
    waiting.remove(request);
    release(request);
  }

  @Override
  public Batch schedule() {
    Map<ReferenceRequest, Part> scheduled = new LinkedHashMap<>();
    List<ReferenceRequest> preempted = new ArrayList<>();
    int budget = scheduleRunning(scheduled, preempted);
    if (preempted.isEmpty()) {
      admitWaiting(scheduled, budget);
    }
    List<Part> parts = new ArrayList<>();
    for (Part part : scheduled.values()) {
      ReferenceRequest request = part.request();
      request.computed += part.newTokens();
      // What goes beyond the known tokens, in flight or not, was drafted.
      int drafts = request.computed - request.tokens() - request.placeholders;
      boolean yields = drafts >= 0;
      if (yields) {
        request.drafted = settings.speculation().draftTokens();
        request.placeholders += settings.asynchronous() ? 1 + drafts : 0;
      }
      parts.add(
          new Part(
              request,
              part.kind(),
              part.computedBefore(),
              part.newTokens(),
              part.heldBlocks(),
              yields,
              Math.max(0, drafts)));
    }
    return new Batch(parts, preempted);
  }

  private int scheduleRunning(
      Map<ReferenceRequest, Part> scheduled, List<ReferenceRequest> preempted) {
    int budget = settings.maxBatchedTokens();
    int index = 0;
    while (index < running.size() && budget > 0) {
      ReferenceRequest request = running.get(index);
      int newTokens = tokensForRunning(request, budget);
      if (newTokens <= 0) {
        index++;
        continue;
      }
      boolean allocated;
      while (true) {
        allocated = allocate(request, newTokens, List.of(), 0, false);
        if (allocated) {
          break;
        }
        ReferenceRequest victim = victim();
        running.remove(victim);
        Part undone = scheduled.remove(victim);
        if (undone != null) {
          budget += undone.newTokens();
          index--;
        }
        preempt(victim);
        preempted.add(victim);
        if (victim == request) {
          break;
        }
      }
      if (!allocated) {
        break;
      }
      scheduled.put(
          request,
          new Part(
              request, Kind.RUNNING, request.computed, newTokens, request.blocks.size(), false));
      budget -= newTokens;
      index++;
    }
    return budget;
  }

  private int tokensForRunning(ReferenceRequest request, int budget) {
    // The token in flight is the last one: nothing more is scheduled.
    if (request.placeholders > 0 && request.outputs + 1 >= request.maxOutputTokens) {
      return 0;
    }
    int newTokens = request.tokens() + request.drafted + request.placeholders - request.computed;
    newTokens = Math.min(newTokens, threshold());
    newTokens = Math.min(newTokens, budget);
    return Math.min(newTokens, settings.maxModelLength() - 1 - request.computed);
  }

  private int threshold() {
    return settings.longPrefillThreshold() > 0
        ? settings.longPrefillThreshold()
        : Integer.MAX_VALUE;
  }

  private ReferenceRequest victim() {
    if (!settings.priorities()) {
      return running.get(running.size() - 1);
    }
    ReferenceRequest worst = running.get(0);
    for (ReferenceRequest other : running) {
      if (other.priority > worst.priority
          || (other.priority == worst.priority && other.arrival > worst.arrival)) {
        worst = other;
      }
    }
    return worst;
  }

  private void preempt(ReferenceRequest victim) {
    listener.preempting(victim);
    release(victim);
    victim.computed = 0;
    victim.drafted = 0;
    victim.running = false;
    victim.preemptions++;
    waiting.add(0, victim);
  }

  private void admitWaiting(Map<ReferenceRequest, Part> scheduled, int budgetLeft) {
    int budget = budgetLeft;
    while (!waiting.isEmpty() && budget > 0 && running.size() < settings.maxSequences()) {
      ReferenceRequest request = waiting().get(0);
      List<ReferenceCache.Block> found = lookUp(request);
      int hit = found.size() * settings.blockSize();
      listener.lookedUp(request, hit);
      int newTokens = Math.min(request.tokens() - hit, threshold());
      if (!settings.chunkedPrefill() && newTokens > budget) {
        return;
      }
      newTokens = Math.min(newTokens, budget);
      if (!allocate(request, newTokens, found, hit, true)) {
        return;
      }
      waiting.remove(request);
      running.add(request);
      Kind kind = request.preemptions > 0 ? Kind.RESUMED : Kind.NEW;
      request.running = true;
      request.computed = hit;
      scheduled.put(request, new Part(request, kind, hit, newTokens, request.blocks.size(), false));
      budget -= newTokens;
    }
  }

  private List<ReferenceCache.Block> lookUp(ReferenceRequest request) {
    List<ReferenceCache.Block> found = new ArrayList<>();
    request.residentTokens = 0;
    if (!cache.caching() || request.skipsCacheRead) {
      return found;
    }
    int limit = (request.tokens() - 1) / settings.blockSize();
    if (request.preemptions == 0) {
      limit = Math.min(limit, request.firstLookUpBlocks);
    }
    for (int i = 0; i < limit; i++) {
      ReferenceCache.Block block = cache.oldestCopy(request.keyOfBlock.applyAsLong(i));
      if (block == null) {
        break;
      }
      found.add(block);
    }
    request.residentTokens = found.size() * settings.blockSize();
    if (settings.speculation().draftHead() && !found.isEmpty()) {
      found.remove(found.size() - 1);
    }
    // Without a snapshot of the recurrent state at its end a prefix is of no use.
    while (found.size() * settings.blockSize() % settings.state().snapshotTokens() != 0) {
      found.remove(found.size() - 1);
    }
    return found;
  }

  /**
   * Gives a request the blocks for its next tokens, or nothing at all.
   *
   * @param found blocks that a waiting request found in the cache
   * @param hit tokens in them
   */
  private boolean allocate(
      ReferenceRequest request,
      int newTokens,
      List<ReferenceCache.Block> found,
      int hit,
      boolean admission) {
    int free = cache.freeBlocks();
    if (admission && !running.isEmpty()) {
      free -= settings.watermarkBlocks();
    }
    // Found blocks that stand in the free queue are needed too: touching takes them out of it.
    int fromQueue = (int) found.stream().filter(block -> block.references == 0).count();
    int held = request.blocks.size() + found.size();
    int computed = request.computed + hit;
    int ahead =
        settings.speculation().draftHead() && !admission ? settings.speculation().draftTokens() : 0;
    int end = Math.min(computed + newTokens + ahead, settings.maxModelLength());
    int needed = Math.max(0, blocksFor(end) - held);
    int state = admission ? settings.state().blocksPerSequence() : 0;
    free -= state;
    boolean fits = needed + fromQueue <= free;
    if (admission && settings.reserveFullPrompt()) {
      int whole = Math.min(request.tokens(), settings.maxModelLength());
      fits &= blocksFor(whole) - held + fromQueue <= free;
    }
    if (!fits) {
      listener.allocationFailed(request);
      return false;
    }
    if (admission) {
      listener.admitting(request, hit);
      cache.touch(found);
      request.blocks.addAll(found);
      request.keyedBlocks = found.size();
      request.stateBlocks.addAll(cache.take(state));
    }
    request.blocks.addAll(cache.take(needed));
    assignKeys(request, Math.min(computed + newTokens, request.tokens()));
    return true;
  }

  private int blocksFor(int tokens) {
    return (tokens + settings.blockSize() - 1) / settings.blockSize();
  }

  private void assignKeys(ReferenceRequest request, int tokens) {
    int full = tokens / settings.blockSize();
    if (!cache.caching() || full <= request.keyedBlocks) {
      return;
    }
    int first = request.keyedBlocks;
    for (int i = first; i < full; i++) {
      cache.assign(request.blocks.get(i), request.keyOfBlock.applyAsLong(i));
    }
    request.keyedBlocks = full;
    listener.assigned(request, first, full);
  }

  private void release(ReferenceRequest request) {
    cache.release(request.blocks);
    cache.release(request.stateBlocks);
    request.stateBlocks = new ArrayList<>();
    request.blocks = new ArrayList<>();
    request.keyedBlocks = 0;
  }

  @Override
  public boolean holds(long key) {
    return cache.holds(key);
  }

  @Override
  public int waitingCount() {
    return waiting.size();
  }

  @Override
  public int usedBlocks() {
    return cache.usedBlocks();
  }

  @Override
  public void update(Batch batch) {
    for (Part part : batch.parts()) {
      ReferenceRequest request = part.request();
      if (request.finished || !part.yields()) {
        continue;
      }
      int tokens = 1;
      if (part.drafts() > 0) {
        tokens += accepted(request, part.drafts());
        if (request.running) {
          request.computed -= 1 + part.drafts() - tokens;
        }
      }
      boolean stop = false;
      boolean ended = false;
      int given = 0;
      while (given < tokens && !ended) {
        given++;
        request.outputs++;
        stop = request.outputs == request.stopToken;
        ended =
            stop
                || request.tokens() >= settings.maxModelLength()
                || request.outputs >= request.maxOutputTokens;
        listener.token(request);
      }
      if (part.drafts() > 0) {
        listener.verified(part.drafts(), given - 1);
      }
      if (settings.asynchronous()) {
        request.placeholders -= 1 + part.drafts();
        if (request.running) {
          assignKeys(request, Math.min(request.tokens(), request.computed - request.placeholders));
        }
      }
      if (ended) {
        request.finished = true;
        listener.finishing(request, stop);
        running.remove(request);
        waiting.remove(request);
        release(request);
      }
    }
  }

  /** How many of the drafted tokens behind the known ones are accepted. */
  private int accepted(ReferenceRequest request, int drafts) {
    List<Double> chances = settings.speculation().acceptance();
    if (settings.speculation().mode() == Speculation.Mode.SAMPLED) {
      for (int i = 0; i < drafts; i++) {
        if (luck.uniform(request.row, request.outputs + i) >= chances.get(i)) {
          return i;
        }
      }
      return drafts;
    }
    double reached = 1;
    double expected = 0;
    for (double chance : chances.subList(0, drafts)) {
      reached *= chance;
      expected += reached;
    }
    request.owed += expected;
    int whole = (int) Math.floor(request.owed);
    request.owed -= whole;
    return whole;
  }
}

package io.orrery.engine.reference;

import io.orrery.engine.scheduler.SchedulerSettings;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * vLLM's V1 scheduler as a pair of {@link #schedule} and {@link #update}, from its published rules.
 * Written for clarity: lists, linear searches, one request at a time.
 */
final class ReferenceVllm implements ReferenceEngine {
  private static final Comparator<ReferenceRequest> URGENCY =
      Comparator.<ReferenceRequest>comparingInt(r -> r.priority)
          .thenComparingDouble(r -> r.arrival)
          .thenComparing(r -> r.id);

  private final SchedulerSettings settings;
  private final ReferenceCache cache;
  private final Listener listener;
  private final ReferenceBlocks blocks;
  private final ReferenceAcceptance acceptance;
  private final List<ReferenceRequest> running = new ArrayList<>();
  private final List<ReferenceRequest> waiting = new ArrayList<>();

  ReferenceVllm(SchedulerSettings settings, ReferenceCache cache, Listener listener) {
    this(settings, 0, cache, listener);
  }

  ReferenceVllm(SchedulerSettings settings, long seed, ReferenceCache cache, Listener listener) {
    this.settings = settings;
    this.cache = cache;
    this.listener = listener;
    this.blocks = new ReferenceBlocks(settings, cache);
    this.acceptance = new ReferenceAcceptance(settings.speculation(), seed);
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
    blocks.release(request);
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
    blocks.release(victim);
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
      int hit = blocks.tokens(found);
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
    List<ReferenceCache.Block> found = blocks.find(request);
    if (settings.speculation().draftHead() && !found.isEmpty()) {
      found.remove(found.size() - 1);
    }
    blocks.cutToSnapshot(found);
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
    int needed = Math.max(0, blocks.count(end) - held);
    int state = admission ? settings.state().blocksPerSequence() : 0;
    free -= state;
    boolean fits = needed + fromQueue <= free;
    if (admission && settings.reserveFullPrompt()) {
      int whole = Math.min(request.tokens(), settings.maxModelLength());
      fits &= blocks.count(whole) - held + fromQueue <= free;
    }
    if (!fits) {
      listener.allocationFailed(request);
      return false;
    }
    if (admission) {
      listener.admitting(request, hit);
      blocks.start(request, found);
    }
    blocks.grow(request, needed);
    assignKeys(request, Math.min(computed + newTokens, request.tokens()));
    return true;
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
        tokens += acceptance.accepted(request, part.drafts());
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
        blocks.release(request);
      }
    }
  }
}

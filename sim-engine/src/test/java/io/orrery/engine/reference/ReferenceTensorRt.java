package io.orrery.engine.reference;

import io.orrery.engine.scheduler.EngineRules.CapacityPolicy;
import io.orrery.engine.scheduler.SchedulerSettings;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * TensorRT-LLM's scheduling as the documentation describes it, one request at a time: generation
 * requests first, then contexts under way, then new ones.
 */
final class ReferenceTensorRt implements ReferenceEngine {
  private final SchedulerSettings settings;
  private final boolean guaranteed;
  private final ReferenceCache cache;
  private final ReferenceBlocks blocks;
  private final Listener listener;

  /** Everything active, in the order of arrival; what is not started has no context. */
  private final List<ReferenceRequest> active = new ArrayList<>();

  /** Tokens of the context of every started request. */
  private final Map<ReferenceRequest, Integer> contexts = new HashMap<>();

  ReferenceTensorRt(
      SchedulerSettings settings, CapacityPolicy policy, ReferenceCache cache, Listener listener) {
    this.settings = settings;
    this.guaranteed = policy == CapacityPolicy.GUARANTEED_NO_EVICT;
    this.cache = cache;
    this.blocks = new ReferenceBlocks(settings, cache);
    this.listener = listener;
  }

  @Override
  public void add(ReferenceRequest request) {
    active.add(request);
  }

  private List<ReferenceRequest> started() {
    return active.stream().filter(contexts::containsKey).toList();
  }

  private boolean generates(ReferenceRequest request) {
    return request.computed >= contexts.get(request);
  }

  @Override
  public Batch schedule() {
    List<Part> parts = new ArrayList<>();
    List<ReferenceRequest> paused = new ArrayList<>();
    for (ReferenceRequest request : started()) {
      boolean complete =
          request.placeholders > 0
              && request.outputs + request.placeholders >= request.maxOutputTokens;
      boolean goes =
          contexts.containsKey(request)
              && generates(request)
              && !complete
              && tokens(parts) < settings.maxBatchedTokens();
      if (goes && getRoom(request, paused)) {
        parts.add(part(request, Kind.RUNNING, 1));
      }
    }
    boolean contextsStop = false;
    for (ReferenceRequest request : started()) {
      if (!generates(request) && !contextsStop) {
        int size = chunk(contexts.get(request) - request.computed, parts);
        contextsStop = size == 0;
        if (size > 0) {
          compute(parts, request, Kind.RUNNING, size);
        }
      }
    }
    if (paused.isEmpty()) {
      startMore(parts);
    }
    return finished(parts, paused);
  }

  private static int tokens(List<Part> parts) {
    return parts.stream().mapToInt(Part::newTokens).sum();
  }

  private static Part part(ReferenceRequest request, Kind kind, int tokens) {
    return new Part(request, kind, request.computed, tokens, request.blocks.size(), false);
  }

  /** A block for the next token, from the newest started requests if there is no other. */
  private boolean getRoom(ReferenceRequest request, List<ReferenceRequest> paused) {
    if (request.blocks.size() * settings.blockSize() > request.computed) {
      return true;
    }
    while (cache.freeBlocks() == 0) {
      listener.allocationFailed(request);
      List<ReferenceRequest> started = started();
      ReferenceRequest newest = started.get(started.size() - 1);
      if (generates(newest)) {
        store(newest, newest.computed - newest.placeholders);
      }
      listener.preempting(newest);
      contexts.remove(newest);
      newest.computed = 0;
      newest.running = false;
      newest.preemptions++;
      blocks.release(newest);
      paused.add(newest);
      if (newest == request) {
        return false;
      }
    }
    blocks.grow(request, 1);
    return true;
  }

  private int chunk(int remaining, List<Part> parts) {
    int budget = settings.maxBatchedTokens() - tokens(parts);
    if (remaining <= budget) {
      return remaining;
    }
    return settings.chunkedPrefill() ? budget - budget % settings.blockSize() : 0;
  }

  private void compute(List<Part> parts, ReferenceRequest request, Kind kind, int size) {
    parts.add(part(request, kind, size));
    listener.computing(request, request.computed, request.computed + size);
  }

  private void startMore(List<Part> parts) {
    for (ReferenceRequest request : List.copyOf(active)) {
      if (contexts.containsKey(request)) {
        continue;
      }
      if (started().size() == settings.maxSequences()
          || tokens(parts) >= settings.maxBatchedTokens()) {
        return;
      }
      List<ReferenceCache.Block> found = blocks.find(request);
      blocks.cutToSnapshot(found);
      int hit = blocks.tokens(found);
      listener.lookedUp(request, hit);
      int size = chunk(request.tokens() - hit, parts);
      if (size == 0) {
        return;
      }
      long inUse = found.stream().filter(block -> block.references > 0).count();
      int state = settings.state().blocksPerSequence();
      int end = guaranteed ? request.promptTokens + request.maxOutputTokens : request.tokens();
      if (blocks.count(end) - inUse + state > cache.freeBlocks() - reserved()) {
        listener.allocationFailed(request);
        return;
      }
      listener.admitting(request, hit);
      contexts.put(request, request.tokens());
      request.computed = hit;
      request.running = true;
      blocks.start(request, found);
      blocks.grow(request, blocks.count(request.tokens()) - found.size());
      compute(parts, request, request.preemptions > 0 ? Kind.RESUMED : Kind.NEW, size);
    }
  }

  /** Blocks that the started requests need to run to their ends. */
  private int reserved() {
    int sum = 0;
    if (guaranteed) {
      for (ReferenceRequest request : started()) {
        sum += blocks.count(request.promptTokens + request.maxOutputTokens) - request.blocks.size();
      }
    }
    return sum;
  }

  private Batch finished(List<Part> parts, List<ReferenceRequest> paused) {
    List<Part> complete = new ArrayList<>();
    for (Part part : parts) {
      ReferenceRequest request = part.request();
      request.computed += part.newTokens();
      boolean yields = generates(request);
      request.placeholders += yields && settings.asynchronous() ? 1 : 0;
      complete.add(
          new Part(
              request,
              part.kind(),
              part.computedBefore(),
              part.newTokens(),
              part.heldBlocks(),
              yields));
    }
    return new Batch(complete, paused);
  }

  /**
   * Lets the full blocks of the first tokens be found, unless others can be found in their place.
   */
  private void store(ReferenceRequest request, int tokens) {
    if (!cache.caching()) {
      return;
    }
    int full = tokens / settings.blockSize();
    for (int i = request.keyedBlocks; i < full; i++) {
      long key = request.keyOfBlock.applyAsLong(i);
      if (!cache.holds(key)) {
        cache.assign(request.blocks.get(i), key);
      }
    }
    request.keyedBlocks = Math.max(request.keyedBlocks, full);
  }

  @Override
  public void update(Batch batch) {
    for (Part part : batch.parts()) {
      ReferenceRequest request = part.request();
      if (request.finished || !part.yields()) {
        continue;
      }
      request.outputs++;
      request.placeholders -= settings.asynchronous() ? 1 : 0;
      boolean started = contexts.containsKey(request);
      if (started && part.computedBefore() < contexts.get(request)) {
        store(request, contexts.get(request) - 1);
      }
      listener.token(request);
      if (request.outputs >= request.maxOutputTokens
          || request.tokens() >= settings.maxModelLength()) {
        if (started) {
          store(request, request.tokens() - 1);
        }
        request.finished = true;
        listener.finishing(request, false);
        active.remove(request);
        contexts.remove(request);
        blocks.release(request);
      }
    }
  }

  @Override
  public boolean holds(long key) {
    return cache.holds(key);
  }

  @Override
  public int waitingCount() {
    return active.size() - started().size();
  }

  @Override
  public int usedBlocks() {
    return cache.usedBlocks();
  }
}

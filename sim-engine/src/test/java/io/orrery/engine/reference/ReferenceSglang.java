package io.orrery.engine.reference;

import io.orrery.engine.scheduler.EngineRules;
import io.orrery.engine.scheduler.QueueOrder;
import io.orrery.engine.scheduler.SchedulerSettings;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** SGLang's scheduler pass by pass, from its published rules. */
final class ReferenceSglang implements ReferenceEngine {
  private final SchedulerSettings settings;
  private final EngineRules.Sglang rules;
  private final int page;
  private final ReferencePages pages;
  private final ReferencePrefixOrder byPrefix;
  private final Listener listener;

  /** Tokens of the context of every started request. */
  private final Map<ReferenceRequest, Integer> contexts = new LinkedHashMap<>();

  /** When each request came, or came back. */
  private final Map<ReferenceRequest, Integer> entries = new LinkedHashMap<>();

  private List<ReferenceRequest> queue = new ArrayList<>();
  private List<ReferenceRequest> running = new ArrayList<>();
  private List<ReferenceRequest> lastPrefill = new ArrayList<>();
  private ReferenceRequest chunked;
  private boolean full;
  private boolean lastWasEmpty = true;
  private final double firstRatio;
  private final double leastRatio;
  private double ratio;
  private int clock;

  // Of the prefill pass being formed.
  private double offset;
  private long promised;
  private long inputLeft;
  private long chunkLeft;

  ReferenceSglang(
      SchedulerSettings settings,
      EngineRules.Sglang rules,
      int blockSize,
      ReferenceCache.Listener pool,
      Listener listener) {
    this.settings = settings;
    this.rules = rules;
    this.page = settings.blockSize();
    this.pages = new ReferencePages(settings, blockSize, pool);
    this.byPrefix = new ReferencePrefixOrder(pages, page);
    this.listener = listener;
    firstRatio = Math.min(0.7 * rules.conservativeness(), 1);
    leastRatio = Math.min(firstRatio * 0.14, 1);
    ratio = firstRatio;
  }

  @Override
  public void add(ReferenceRequest request) {
    entries.put(request, clock++);
    queue.add(request);
  }

  private int statePages() {
    return settings.state().blocksPerSequence();
  }

  private void release(ReferenceRequest request) {
    contexts.remove(request);
    pages.release(request);
  }

  @Override
  public Batch schedule() {
    if (chunked != null) {
      pages.store(chunked, chunked.computed);
    }
    for (ReferenceRequest request : lastPrefill) {
      if (request.finished || request == chunked) {
        full = false;
      } else {
        running.add(request);
      }
    }
    lastPrefill = new ArrayList<>();
    List<Part> parts = new ArrayList<>();
    List<ReferenceRequest> retracted = new ArrayList<>();
    boolean again = false;
    prefill(parts);
    if (!parts.isEmpty()) {
      parts.forEach(part -> lastPrefill.add(part.request()));
    } else if (!running.isEmpty()) {
      decode(parts, retracted);
      again = running.isEmpty() && !queue.isEmpty();
    }
    if (parts.isEmpty() && (!settings.asynchronous() || lastWasEmpty)) {
      ratio = firstRatio;
    }
    lastWasEmpty = parts.isEmpty();
    return new Batch(parts, retracted, again || !retracted.isEmpty());
  }

  private void prefill(List<Part> parts) {
    if (chunked == null && (full || queue.isEmpty())) {
      return;
    }
    if (chunked == null && running.size() >= settings.maxSequences()) {
      full = true;
      return;
    }
    sortQueue();
    offset = 0;
    for (ReferenceRequest request : running) {
      offset += clip(request.maxOutputTokens - request.outputs) * ratio;
    }
    promised = 0;
    inputLeft = rules.maxPrefillTokens();
    chunkLeft = rules.chunkedPrefillTokens() > 0 ? rules.chunkedPrefillTokens() : Integer.MAX_VALUE;
    goOnWithChunk(parts);
    for (ReferenceRequest request : List.copyOf(queue)) {
      if (parts.size() >= settings.maxSequences() - running.size()) {
        full = true;
      }
      if (full || !offer(parts, request)) {
        break;
      }
    }
    allocate(parts);
  }

  private int clip(int tokens) {
    return Math.min(Math.max(0, tokens), rules.clipMaxNewTokens());
  }

  private void goOnWithChunk(List<Part> parts) {
    if (chunked == null) {
      return;
    }
    ReferenceRequest request = chunked;
    int remaining = contexts.get(request) - request.computed;
    int most = (int) Math.min(chunkLeft, pages.room() - offset);
    int tokens = Math.min(remaining, most > 0 ? most : (int) chunkLeft);
    int more = pages.count(request.computed + tokens) - pages.count(request.computed);
    if ((more + 1) * (long) page > pages.room()) {
      return;
    }
    boolean whole = tokens == remaining;
    charge(tokens, whole ? clip(request.maxOutputTokens) : 0, 0);
    compute(parts, request, Kind.RUNNING, tokens);
    if (whole) {
      chunked = null;
    }
  }

  private void charge(int tokens, int output, int state) {
    int whole = pages.count(tokens) * page;
    offset += whole + output + page + state;
    promised += whole + page + state;
    inputLeft -= whole;
    chunkLeft -= whole;
  }

  private void compute(List<Part> parts, ReferenceRequest request, Kind kind, int tokens) {
    int before = request.computed;
    listener.computing(request, before, before + tokens);
    request.computed += tokens;
    boolean yields = request.computed == contexts.get(request);
    request.placeholders += yields && settings.asynchronous() ? 1 : 0;
    parts.add(new Part(request, kind, before, tokens, 0, yields));
  }

  /** Admits a request if it can; says whether another may be tried. */
  private boolean offer(List<Part> parts, ReferenceRequest request) {
    ReferencePages.Hit found = pages.find(request);
    int hit = found.pages() * page;
    listener.lookedUp(request, hit);
    int uncached = request.tokens() - hit;
    int state = statePages() * page;
    long total = (long) uncached + clip(request.maxOutputTokens - request.outputs) + page + state;
    if (total >= pages.room() - offset) {
      full = true;
      return false;
    }
    if (!parts.isEmpty() && pages.count(uncached) * (long) page >= inputLeft) {
      return false;
    }
    pages.lock(found);
    if (total >= pages.room() - offset) {
      pages.unlock(found);
      full = true;
      return false;
    }
    int tokens = uncached;
    if (pages.count(uncached) * (long) page > chunkLeft) {
      tokens = chunked == null ? (int) (chunkLeft - chunkLeft % page) : 0;
    }
    if (tokens == 0) {
      pages.unlock(found);
      return false;
    }
    admit(parts, request, found, tokens);
    if (pages.room() - offset <= 0 || pages.room() - promised <= 0) {
      full = true;
      return false;
    }
    return inputLeft > 0 && chunkLeft > 0;
  }

  /** Starts a request with its first tokens, all of them or a chunk. */
  private void admit(
      List<Part> parts, ReferenceRequest request, ReferencePages.Hit found, int tokens) {
    int hit = found.pages() * page;
    boolean whole = tokens == request.tokens() - hit;
    listener.admitting(request, hit);
    queue.remove(request);
    pages.start(request, found);
    contexts.put(request, request.tokens());
    request.running = true;
    request.computed = hit;
    compute(parts, request, request.preemptions > 0 ? Kind.RESUMED : Kind.NEW, tokens);
    if (!whole) {
      chunked = request;
    }
    charge(tokens, whole ? clip(request.maxOutputTokens) : 0, statePages() * page);
  }

  private void allocate(List<Part> parts) {
    long tokens = 0;
    for (Part part : parts) {
      tokens += part.newTokens() + (page > 1 ? page : 0);
      tokens += part.kind() == Kind.RUNNING ? 0 : (long) statePages() * page;
    }
    pages.makeRoom(tokens);
    for (Part part : parts) {
      ReferenceRequest request = part.request();
      int before = pages.count(part.computedBefore());
      pages.grow(request, pages.count(part.computedBefore() + part.newTokens()) - before);
      pages.grow(request, part.kind() == Kind.RUNNING ? 0 : statePages());
    }
  }

  /** By longest cached prefix, or by priority, or as they came. */
  private void sortQueue() {
    if (settings.prefixCaching() && rules.order() == QueueOrder.Policy.LPM) {
      byPrefix.sort(queue);
    } else if (settings.priorities()) {
      queue.sort(
          Comparator.<ReferenceRequest>comparingInt(r -> r.priority)
              .thenComparingInt(entries::get));
    }
  }

  private void decode(List<Part> parts, List<ReferenceRequest> retracted) {
    int before = running.size();
    running.removeIf(request -> request.finished);
    if (!running.isEmpty()) {
      if (canDecode()) {
        ratio = Math.max(ratio - (firstRatio - leastRatio) / 600, leastRatio);
      } else {
        retract(retracted);
      }
    }
    if (running.size() < before) {
      full = false;
    }
    if (running.isEmpty()) {
      return;
    }
    pages.makeRoom((long) running.size() * page);
    for (ReferenceRequest request : running) {
      pages.grow(request, request.computed % page == 0 ? 1 : 0);
      parts.add(new Part(request, Kind.RUNNING, request.computed, 1, 0, true));
      request.computed++;
      request.placeholders += settings.asynchronous() ? 1 : 0;
    }
  }

  private boolean canDecode() {
    long needed = running.stream().filter(request -> request.computed % page == 0).count() * page;
    pages.makeRoom(needed);
    return pages.fits(needed);
  }

  private void retract(List<ReferenceRequest> retracted) {
    boolean first = true;
    while (first || !canDecode()) {
      if (running.size() == 1) {
        break;
      }
      first = false;
      // The end of the list sorted by outputs, the longest prompts last among equals.
      List<ReferenceRequest> sorted = new ArrayList<>(running);
      sorted.sort(
          Comparator.<ReferenceRequest>comparingInt(r -> -r.outputs)
              .thenComparingInt(r -> r.promptTokens));
      ReferenceRequest victim = sorted.get(sorted.size() - 1);
      running.remove(victim);
      listener.preempting(victim);
      release(victim);
      victim.computed = 0;
      victim.placeholders = 0;
      victim.running = false;
      victim.preemptions++;
      retracted.add(victim);
      pages.makeRoom(running.size() * 20L);
      add(victim);
    }
    if (running.size() == 1 && !canDecode()) {
      ReferenceRequest alone = running.remove(0);
      alone.finished = true;
      listener.failing(alone);
      release(alone);
    }
    long outputs = running.stream().mapToLong(request -> request.outputs).sum();
    long most = running.stream().mapToLong(request -> request.maxOutputTokens).sum();
    ratio = Math.min(1, (outputs + 20.0 * running.size()) / (most + 1));
  }

  @Override
  public void update(Batch batch) {
    for (Part part : batch.parts()) {
      ReferenceRequest request = part.request();
      if (request.finished || !request.running || !part.yields()) {
        continue;
      }
      request.outputs++;
      request.placeholders -= settings.asynchronous() ? 1 : 0;
      listener.token(request);
      if (request.outputs >= request.maxOutputTokens
          || request.tokens() >= settings.maxModelLength()) {
        request.finished = true;
        listener.finishing(request, false);
        pages.store(request, request.tokens() - 1);
        release(request);
      } else if (part.computedBefore() < contexts.get(request)) {
        pages.store(request, contexts.get(request));
      }
    }
  }

  @Override
  public boolean holds(long key) {
    return pages.holds(key);
  }

  @Override
  public int waitingCount() {
    return queue.size();
  }

  @Override
  public int usedBlocks() {
    return pages.used();
  }
}

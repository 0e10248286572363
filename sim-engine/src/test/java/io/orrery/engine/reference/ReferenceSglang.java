package io.orrery.engine.reference;

import io.orrery.engine.reference.ReferenceTree.Page;
import io.orrery.engine.scheduler.EngineRules;
import io.orrery.engine.scheduler.QueueOrder;
import io.orrery.engine.scheduler.SchedulerSettings;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * SGLang's scheduler pass by pass, from its published rules: what is free, held or reserved is
 * counted anew at every question.
 */
final class ReferenceSglang implements ReferenceEngine {
  /** What a started request has: its part of the tree, and pages of its own. */
  private static final class Started {
    ReferenceTree.Node node;
    int cachedPages;
    int pages;
    int context;
  }

  private final SchedulerSettings settings;
  private final EngineRules.Sglang rules;
  private final int page;
  private final int pagesPerBlock;
  private final ReferenceCache.Listener pool;
  private final Listener listener;
  private final ReferenceTree tree = new ReferenceTree();
  private final Set<Page> inTree = new HashSet<>();
  private final Map<ReferenceRequest, Started> started = new LinkedHashMap<>();
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
    this.pagesPerBlock = blockSize / page;
    this.pool = pool;
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

  // Memory.

  private int freePages() {
    int held = started.values().stream().mapToInt(s -> s.pages).sum();
    return settings.blocks() - tree.pages() - held;
  }

  private long room() {
    return (long) (freePages() + tree.evictable()) * page;
  }

  private void makeRoom(long tokens) {
    if ((long) freePages() * page < tokens) {
      tree.evict((int) ((tokens + page - 1) / page), this::removed);
    }
  }

  private void stored(Page stored) {
    inTree.add(stored);
    if (stored.offset() == pagesPerBlock - 1) {
      pool.assigned(null, stored.block(), true);
    }
  }

  private void removed(Page removed) {
    inTree.remove(removed);
    if (removed.offset() == pagesPerBlock - 1) {
      pool.evicted(null, removed.block(), true);
    }
  }

  private List<Page> pagesOf(ReferenceRequest request, int tokens) {
    List<Page> pages = new ArrayList<>();
    for (int i = 0; i < tokens / page; i++) {
      long block = request.keyOfBlock.applyAsLong(i / pagesPerBlock);
      pages.add(new Page(block, i % pagesPerBlock));
    }
    return pages;
  }

  private int pages(int tokens) {
    return (tokens + page - 1) / page;
  }

  private int statePages() {
    return settings.state().blocksPerSequence();
  }

  /** Moves leading tokens into the tree; copies of what is there already go back. */
  private void store(ReferenceRequest request, int tokens) {
    if (!settings.prefixCaching()) {
      return;
    }
    Started own = started.get(request);
    List<Page> pages = pagesOf(request, tokens);
    int held = tree.insert(pages, this::stored);
    if (held < pages.size() && pages.size() % pagesPerBlock != 0) {
      pool.begun(pages.get(pages.size() - 1).block());
    }
    for (int i = own.cachedPages; i < held; i++) {
      if (pages.get(i).offset() == pagesPerBlock - 1) {
        pool.assigned(null, pages.get(i).block(), false);
      }
    }
    ReferenceTree.Node old = own.node;
    own.node = tree.match(pages);
    tree.lock(own.node, 1);
    tree.lock(old, -1);
    own.pages -= pages.size() - own.cachedPages;
    own.cachedPages = pages.size();
  }

  private void release(ReferenceRequest request) {
    tree.lock(started.remove(request).node, -1);
  }

  // Passes.

  @Override
  public Batch schedule() {
    if (chunked != null) {
      store(chunked, chunked.computed);
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
    int remaining = started.get(request).context - request.computed;
    int most = (int) Math.min(chunkLeft, room() - offset);
    int tokens = Math.min(remaining, most > 0 ? most : (int) chunkLeft);
    int more = pages(request.computed + tokens) - pages(request.computed);
    if ((more + 1) * (long) page > room()) {
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
    int whole = pages(tokens) * page;
    offset += whole + output + page + state;
    promised += whole + page + state;
    inputLeft -= whole;
    chunkLeft -= whole;
  }

  private void compute(List<Part> parts, ReferenceRequest request, Kind kind, int tokens) {
    int before = request.computed;
    listener.computing(request, before, before + tokens);
    request.computed += tokens;
    boolean yields = request.computed == started.get(request).context;
    request.placeholders += yields && settings.asynchronous() ? 1 : 0;
    parts.add(new Part(request, kind, before, tokens, 0, yields));
  }

  private int matchLimit(ReferenceRequest request) {
    int limit = request.tokens() - 1;
    if (request.preemptions == 0) {
      limit = Math.min(limit, request.firstLookUpBlocks * page);
    }
    return limit;
  }

  /** Admits a request if it can; says whether another may be tried. */
  private boolean offer(List<Part> parts, ReferenceRequest request) {
    boolean reads = settings.prefixCaching();
    ReferenceTree.Node node = tree.root;
    int found = 0;
    request.residentTokens = 0;
    if (reads) {
      List<Page> wanted = pagesOf(request, matchLimit(request));
      node = tree.match(wanted);
      found = tree.matched();
      request.residentTokens = found * page;
      while (found * page % settings.state().snapshotTokens() != 0) {
        found--;
      }
      if (found * page < request.residentTokens) {
        node = tree.match(wanted.subList(0, found));
      }
    }
    int hit = found * page;
    listener.lookedUp(request, hit);
    int uncached = request.tokens() - hit;
    int state = statePages() * page;
    long total = (long) uncached + clip(request.maxOutputTokens - request.outputs) + page + state;
    if (total >= room() - offset) {
      full = true;
      return false;
    }
    if (!parts.isEmpty() && pages(uncached) * (long) page >= inputLeft) {
      return false;
    }
    tree.lock(node, 1);
    if (total >= room() - offset) {
      tree.lock(node, -1);
      full = true;
      return false;
    }
    int tokens = uncached;
    if (pages(uncached) * (long) page > chunkLeft) {
      tokens = chunked == null ? (int) (chunkLeft - chunkLeft % page) : 0;
    }
    if (tokens == 0) {
      tree.lock(node, -1);
      return false;
    }
    listener.admitting(request, hit);
    queue.remove(request);
    Started own = new Started();
    own.node = node;
    own.cachedPages = found;
    own.context = request.tokens();
    started.put(request, own);
    request.running = true;
    request.computed = hit;
    compute(parts, request, request.preemptions > 0 ? Kind.RESUMED : Kind.NEW, tokens);
    if (tokens < uncached) {
      chunked = request;
    }
    charge(tokens, tokens == uncached ? clip(request.maxOutputTokens) : 0, state);
    if (room() - offset <= 0 || room() - promised <= 0) {
      full = true;
      return false;
    }
    return inputLeft > 0 && chunkLeft > 0;
  }

  private void allocate(List<Part> parts) {
    long tokens = 0;
    for (Part part : parts) {
      tokens += part.newTokens() + (page > 1 ? page : 0);
      tokens += part.kind() == Kind.RUNNING ? 0 : (long) statePages() * page;
    }
    makeRoom(tokens);
    for (Part part : parts) {
      Started own = started.get(part.request());
      own.pages += pages(part.computedBefore() + part.newTokens()) - pages(part.computedBefore());
      own.pages += part.kind() == Kind.RUNNING ? 0 : statePages();
    }
  }

  /** By longest match, those that wait for another's pages last; or as they came. */
  private void sortQueue() {
    boolean looks = settings.prefixCaching() && rules.order() == QueueOrder.Policy.LPM;
    if (!looks) {
      if (settings.priorities()) {
        queue.sort(
            Comparator.<ReferenceRequest>comparingInt(r -> r.priority)
                .thenComparingInt(entries::get));
      }
      return;
    }
    if (queue.size() > 128) {
      return;
    }
    Map<ReferenceRequest, Integer> matches = new LinkedHashMap<>();
    for (ReferenceRequest request : queue) {
      List<Page> wanted = pagesOf(request, matchLimit(request));
      if (!wanted.isEmpty()) {
        tree.match(wanted);
      }
      matches.put(request, wanted.isEmpty() ? 0 : tree.matched() * page);
    }
    List<List<Page>> firsts = new ArrayList<>();
    Set<ReferenceRequest> last = new HashSet<>();
    for (ReferenceRequest request : queue) {
      if (matches.get(request) <= 32) {
        List<Page> all = pagesOf(request, request.tokens());
        int shared = firsts.stream().mapToInt(other -> common(all, other)).max().orElse(0);
        if (shared * page >= 32) {
          last.add(request);
        } else {
          firsts.add(all);
        }
      }
    }
    queue.sort(
        Comparator.comparingInt(
            (ReferenceRequest r) -> last.contains(r) ? Integer.MAX_VALUE : -matches.get(r)));
  }

  private static int common(List<Page> a, List<Page> b) {
    int same = 0;
    while (same < Math.min(a.size(), b.size()) && a.get(same).equals(b.get(same))) {
      same++;
    }
    return same;
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
    makeRoom((long) running.size() * page);
    for (ReferenceRequest request : running) {
      started.get(request).pages += request.computed % page == 0 ? 1 : 0;
      parts.add(new Part(request, Kind.RUNNING, request.computed, 1, 0, true));
      request.computed++;
      request.placeholders += settings.asynchronous() ? 1 : 0;
    }
  }

  private boolean canDecode() {
    long needed = running.stream().filter(request -> request.computed % page == 0).count() * page;
    makeRoom(needed);
    return (long) freePages() * page >= needed;
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
      makeRoom(running.size() * 20L);
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
        store(request, request.tokens() - 1);
        release(request);
      } else if (part.computedBefore() < started.get(request).context) {
        store(request, started.get(request).context);
      }
    }
  }

  @Override
  public boolean holds(long key) {
    TreeSet<Integer> offsets = new TreeSet<>();
    for (int i = 0; i < pagesPerBlock; i++) {
      if (inTree.contains(new Page(key, i))) {
        offsets.add(i);
      }
    }
    return offsets.size() == pagesPerBlock;
  }

  @Override
  public int waitingCount() {
    return queue.size();
  }

  @Override
  public int usedBlocks() {
    return settings.blocks() - freePages() - tree.evictable();
  }
}

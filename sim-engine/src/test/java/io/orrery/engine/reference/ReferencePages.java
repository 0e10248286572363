package io.orrery.engine.reference;

import io.orrery.engine.reference.ReferenceTree.Page;
import io.orrery.engine.scheduler.SchedulerSettings;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * SGLang's memory: pages in the tree, and pages that started requests have of their own. What is
 * free, held or reserved is counted anew at every question.
 */
final class ReferencePages {
  /** What a started request has: its part of the tree, and pages of its own. */
  private static final class Holding {
    ReferenceTree.Node node;
    int cachedPages;
    int pages;
  }

  /**
   * What a request finds.
   *
   * @param node where it ends in the tree
   * @param pages its pages
   */
  record Hit(ReferenceTree.Node node, int pages) {}

  private final SchedulerSettings settings;
  private final int page;
  private final int pagesPerBlock;
  private final ReferenceCache.Listener listener;
  private final ReferenceTree tree = new ReferenceTree();
  private final Set<Page> inTree = new HashSet<>();
  private final Map<ReferenceRequest, Holding> holdings = new LinkedHashMap<>();

  /**
   * @param blockSize tokens of the blocks that listeners know, in whole pages
   */
  ReferencePages(SchedulerSettings settings, int blockSize, ReferenceCache.Listener listener) {
    this.settings = settings;
    this.page = settings.blockSize();
    this.pagesPerBlock = blockSize / page;
    this.listener = listener;
  }

  /** Pages for so many tokens. */
  int count(int tokens) {
    return (tokens + page - 1) / page;
  }

  private int free() {
    int held = holdings.values().stream().mapToInt(own -> own.pages).sum();
    return settings.blocks() - tree.pages() - held;
  }

  /** Tokens in pages that are free, or would be if everything nobody holds were evicted. */
  long room() {
    return (long) (free() + tree.evictable()) * page;
  }

  /** Whether so many tokens fit into free pages. */
  boolean fits(long tokens) {
    return (long) free() * page >= tokens;
  }

  /** Evicts pages for so many tokens unless they fit. */
  void makeRoom(long tokens) {
    if (!fits(tokens)) {
      tree.evict((int) ((tokens + page - 1) / page), this::removed);
    }
  }

  private void stored(Page stored) {
    inTree.add(stored);
    if (isLastOfBlock(stored)) {
      listener.assigned(null, stored.block(), true);
    }
  }

  private void removed(Page removed) {
    inTree.remove(removed);
    if (isLastOfBlock(removed)) {
      listener.evicted(null, removed.block(), true);
    }
  }

  private boolean isLastOfBlock(Page some) {
    return some.offset() == pagesPerBlock - 1;
  }

  /** The whole pages of a request's first tokens. */
  List<Page> of(ReferenceRequest request, int tokens) {
    List<Page> pages = new ArrayList<>();
    for (int i = 0; i < tokens / page; i++) {
      long block = request.keyOfBlock.applyAsLong(i / pagesPerBlock);
      pages.add(new Page(block, i % pagesPerBlock));
    }
    return pages;
  }

  /** The pages that a request may find: never the last token, since something must be computed. */
  List<Page> wanted(ReferenceRequest request) {
    int limit = request.tokens() - 1;
    if (request.preemptions == 0) {
      limit = Math.min(limit, request.firstLookUpBlocks * page);
    }
    return of(request, limit);
  }

  /** Pages of these that the tree holds; what is passed has been used now. */
  int held(List<Page> pages) {
    tree.match(pages);
    return tree.matched();
  }

  /** What a request finds, cut to the last snapshot of the recurrent state. */
  Hit find(ReferenceRequest request) {
    request.residentTokens = 0;
    if (!settings.prefixCaching()) {
      return new Hit(tree.root, 0);
    }
    List<Page> wanted = wanted(request);
    ReferenceTree.Node node = tree.match(wanted);
    int found = tree.matched();
    request.residentTokens = found * page;
    while (found * page % settings.state().snapshotTokens() != 0) {
      found--;
    }
    if (found * page < request.residentTokens) {
      node = tree.match(wanted.subList(0, found));
    }
    return new Hit(node, found);
  }

  /** Keeps what was found from being evicted. */
  void lock(Hit hit) {
    tree.lock(hit.node(), 1);
  }

  void unlock(Hit hit) {
    tree.lock(hit.node(), -1);
  }

  /** Gives a request what it found and locked. */
  void start(ReferenceRequest request, Hit hit) {
    Holding own = new Holding();
    own.node = hit.node();
    own.cachedPages = hit.pages();
    holdings.put(request, own);
  }

  void grow(ReferenceRequest request, int pages) {
    holdings.get(request).pages += pages;
  }

  /** Moves leading tokens into the tree; copies of what is there already go back. */
  void store(ReferenceRequest request, int tokens) {
    if (!settings.prefixCaching()) {
      return;
    }
    Holding own = holdings.get(request);
    List<Page> pages = of(request, tokens);
    int held = tree.insert(pages, this::stored);
    if (held < pages.size() && pages.size() % pagesPerBlock != 0) {
      listener.begun(pages.get(pages.size() - 1).block());
    }
    for (int i = own.cachedPages; i < held; i++) {
      if (isLastOfBlock(pages.get(i))) {
        listener.assigned(null, pages.get(i).block(), false);
      }
    }
    ReferenceTree.Node old = own.node;
    own.node = tree.match(pages);
    tree.lock(own.node, 1);
    tree.lock(old, -1);
    own.pages -= pages.size() - own.cachedPages;
    own.cachedPages = pages.size();
  }

  void release(ReferenceRequest request) {
    tree.lock(holdings.remove(request).node, -1);
  }

  /** Whether all pages of a block are in the tree. */
  boolean holds(long block) {
    for (int i = 0; i < pagesPerBlock; i++) {
      if (!inTree.contains(new Page(block, i))) {
        return false;
      }
    }
    return true;
  }

  /** Pages that somebody holds. */
  int used() {
    return settings.blocks() - free() - tree.evictable();
  }
}

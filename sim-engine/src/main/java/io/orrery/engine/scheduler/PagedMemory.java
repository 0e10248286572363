package io.orrery.engine.scheduler;

import io.orrery.engine.cache.BlockKeys;
import io.orrery.engine.cache.PoolListener;
import io.orrery.engine.cache.RadixCache;
import io.orrery.engine.cache.RadixListener;

/**
 * SGLang's KV memory: pages that are free, pages in the radix tree (locked or evictable), and pages
 * that a request holds alone. Pages are counted, not numbered.
 *
 * <p>The tree works in pages, which may be single tokens; edges are runs of consecutive keys, so a
 * long context costs as many runs as it has turns. Where a page is smaller than a block of the
 * trace, the pool's listener hears of whole blocks: a block is there when its last page is.
 */
final class PagedMemory {
  private final int pageTokens;
  private final int totalPages;
  private final int statePages;
  private final int pagesPerKey;
  private final boolean caching;
  private final RecurrentState state;
  private final BlockReports reports;
  private final RadixCache tree;
  private long freePages;

  PagedMemory(
      SchedulerSettings settings,
      EngineRules.Sglang rules,
      int pagesPerKey,
      PoolListener listener) {
    this.pageTokens = settings.blockSize();
    this.totalPages = settings.blocks();
    this.statePages = settings.state().blocksPerSequence();
    this.state = settings.state();
    this.pagesPerKey = pagesPerKey;
    this.caching = settings.prefixCaching();
    this.freePages = totalPages;
    this.reports = new BlockReports(listener);
    this.tree = new RadixCache(pageTokens, rules.eviction(), reports);
  }

  /** Reports pages stored and removed as blocks. */
  private final class BlockReports implements RadixListener {
    private final PoolListener listener;

    BlockReports(PoolListener listener) {
      this.listener = listener;
    }

    @Override
    public void stored(long firstKey, int pages) {
      if (!BlockKeys.isPrivate(firstKey)) {
        long first = firstKey / pagesPerKey;
        long end = (firstKey + pages) / pagesPerKey;
        if (first < end) {
          listener.stored(first, end - 1);
        }
        for (long key = first; key < end; key++) {
          listener.assigned(0, key);
        }
        if ((firstKey + pages) % pagesPerKey != 0) {
          listener.begun(end);
        }
      }
    }

    /** A request has computed pages that the tree held already. */
    void computedAgain(BlockKeys keys, int fromPage, int toPage) {
      int end = Math.min(keys.named(), toPage / pagesPerKey);
      for (int i = fromPage / pagesPerKey; i < end; i++) {
        listener.assigned(0, keys.keyAt(i));
      }
    }

    @Override
    public void removed(long firstKey, int pages) {
      if (!BlockKeys.isPrivate(firstKey)) {
        long first = firstKey / pagesPerKey;
        long end = (firstKey + pages) / pagesPerKey;
        if (first < end) {
          listener.removed(first, end - 1);
        }
      }
    }
  }

  RadixCache tree() {
    return tree;
  }

  int totalPages() {
    return totalPages;
  }

  /** Tokens of free pages. */
  long availableTokens() {
    return freePages * pageTokens;
  }

  /** Tokens in the tree that no request holds. */
  long evictableTokens() {
    return tree.evictableTokens();
  }

  /** Pages that requests hold. */
  int usedPages() {
    return (int) (totalPages - freePages - tree.evictableTokens() / pageTokens);
  }

  /** Pages of {@code tokens} tokens. */
  int pages(int tokens) {
    return (tokens + pageTokens - 1) / pageTokens;
  }

  /** Tokens that the state of a request will take, beyond what it holds. */
  int stateTokens(PagedRequest request) {
    return request.holdsState ? 0 : statePages * pageTokens;
  }

  /**
   * Matches a waiting request's leading tokens; what is found may be more than can be used.
   *
   * @param limit tokens to look at
   * @return tokens that can be used; {@link PagedRequest#node} is where they end
   */
  int match(PagedRequest request, int limit) {
    Sequence sequence = request.sequence;
    request.node = RadixCache.ROOT;
    sequence.residentTokens = 0;
    if (!caching || sequence.skipCacheRead) {
      return 0;
    }
    int found = tree.match(request.keys, limit / pageTokens) * pageTokens;
    sequence.residentTokens = found;
    int usable = state.usable(found);
    if (usable < found) {
      tree.match(request.keys, usable / pageTokens);
    }
    request.node = tree.lastNode();
    return usable;
  }

  /** Holds what a match has found. */
  void lock(PagedRequest request) {
    tree.lock(request.node);
  }

  /** Lets go of what a match has found. */
  void unlock(PagedRequest request) {
    tree.unlock(request.node);
  }

  /** Evicts {@code tokens} tokens unless so many are free. */
  void evictFor(long tokens) {
    if (availableTokens() < tokens) {
      freePages += tree.evict(tokens) / pageTokens;
    }
  }

  void take(int pages) {
    freePages -= pages;
    if (freePages < 0) {
      throw new IllegalStateException("no free page");
    }
  }

  /** Takes the pages for the state of a request that begins. */
  void takeState(PagedRequest request) {
    if (!request.holdsState) {
      take(statePages);
      request.holdsState = true;
    }
  }

  /** Moves the whole pages of a running request's leading {@code tokens} tokens into the tree. */
  void store(PagedRequest request, int tokens, boolean chunked) {
    if (!caching) {
      return;
    }
    int old = request.node;
    int pages = insert(request, tokens, chunked);
    tree.match(request.keys, pages);
    request.node = tree.lastNode();
    tree.lock(request.node);
    tree.unlock(old);
  }

  private int insert(PagedRequest request, int tokens, boolean chunked) {
    int pages = tokens / pageTokens;
    int held = tree.insert(request.keys, pages, request.sequence.priority, chunked);
    reports.computedAgain(request.sequence.keys, request.cachedTokens / pageTokens, held);
    // What was held already is there twice: the request's copy goes.
    freePages += held - request.cachedTokens / pageTokens;
    request.cachedTokens = pages * pageTokens;
    return pages;
  }

  /** Ends a request whose leading {@code tokens} tokens are kept for reuse. */
  void storeAndRelease(PagedRequest request, int tokens) {
    if (caching) {
      insert(request, tokens, false);
    }
    release(request);
  }

  /** Frees what a request holds alone, and lets go of the rest. */
  void release(PagedRequest request) {
    freePages += pages(request.sequence.computed) - request.cachedTokens / pageTokens;
    tree.unlock(request.node);
    request.node = RadixCache.ROOT;
    request.cachedTokens = 0;
    if (request.holdsState) {
      freePages += statePages;
      request.holdsState = false;
    }
  }
}

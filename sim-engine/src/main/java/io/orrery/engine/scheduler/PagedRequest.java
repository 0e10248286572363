package io.orrery.engine.scheduler;

import io.orrery.engine.cache.BlockKeys;
import io.orrery.engine.cache.RadixCache;

/** A request as SGLang's scheduler keeps it: what of it stands in the tree, and what is its own. */
final class PagedRequest {
  final Sequence sequence;
  final QueuedRequest queued = new QueuedRequest();

  /** Keys of its pages. */
  final BlockKeys keys;

  /** The locked node where its part of the tree ends. */
  int node = RadixCache.ROOT;

  /** Leading tokens that stand in the tree, a whole number of pages. */
  int cachedTokens;

  /** Whether it holds pages for the state of recurrent layers. */
  boolean holdsState;

  /**
   * @param pagesPerKey pages of a block that the sequence's keys name
   */
  PagedRequest(Sequence sequence, int pagesPerKey) {
    this.sequence = sequence;
    keys = pagesPerKey == 1 ? sequence.keys : pages(sequence, pagesPerKey);
    queued.request = sequence.request;
    queued.owner = this;
    queued.keys = keys;
    queued.queueKeys = keys;
    queued.maxOutputTokens = sequence.maxOutputTokens;
    queued.priority = sequence.priority;
  }

  /** Page {@code i} of block {@code b} has the key {@code b · pages + i}. */
  private static BlockKeys pages(Sequence sequence, int pagesPerKey) {
    BlockKeys pages = new BlockKeys();
    pages.reset(sequence.request);
    int from = 0;
    for (int run = 0; run < sequence.keys.runs(); run++) {
      int end = sequence.keys.runEnd(run);
      long first = Math.multiplyExact(sequence.keys.runFirst(run), (long) pagesPerKey);
      if (BlockKeys.isPrivate(first)) {
        throw new IllegalStateException(
            "request "
                + sequence.request
                + ": a trace recycled too often to tell its copies apart");
      }
      pages.addRun(first, (end - from) * pagesPerKey);
      from = end;
    }
    return pages;
  }
}

package io.orrery.engine.reference;

import io.orrery.engine.scheduler.SchedulerSettings;
import java.util.ArrayList;
import java.util.List;

/** What requests find in, take from and give back to one pool of equal blocks. */
final class ReferenceBlocks {
  private final SchedulerSettings settings;
  private final ReferenceCache cache;

  ReferenceBlocks(SchedulerSettings settings, ReferenceCache cache) {
    this.settings = settings;
    this.cache = cache;
  }

  /** Blocks for so many tokens. */
  int count(int tokens) {
    return (tokens + settings.blockSize() - 1) / settings.blockSize();
  }

  /** Tokens in so many whole blocks. */
  int tokens(List<ReferenceCache.Block> blocks) {
    return blocks.size() * settings.blockSize();
  }

  /** The leading blocks that are held, but never the last token: something must be computed. */
  List<ReferenceCache.Block> find(ReferenceRequest request) {
    List<ReferenceCache.Block> found = new ArrayList<>();
    if (cache.caching() && !request.skipsCacheRead) {
      int limit = (request.tokens() - 1) / settings.blockSize();
      if (request.preemptions == 0) {
        limit = Math.min(limit, request.firstLookUpBlocks);
      }
      while (found.size() < limit && cache.holds(request.keyOfBlock.applyAsLong(found.size()))) {
        found.add(cache.oldestCopy(request.keyOfBlock.applyAsLong(found.size())));
      }
    }
    request.residentTokens = tokens(found);
    return found;
  }

  /** Without a snapshot of the recurrent state at its end a prefix is of no use. */
  void cutToSnapshot(List<ReferenceCache.Block> found) {
    while (tokens(found) % settings.state().snapshotTokens() != 0) {
      found.remove(found.size() - 1);
    }
  }

  /** Gives a request what it found, and blocks for the state of recurrent layers. */
  void start(ReferenceRequest request, List<ReferenceCache.Block> found) {
    cache.touch(found);
    request.blocks.addAll(found);
    request.keyedBlocks = found.size();
    request.stateBlocks.addAll(cache.take(settings.state().blocksPerSequence()));
  }

  void grow(ReferenceRequest request, int blocks) {
    request.blocks.addAll(cache.take(blocks));
  }

  void release(ReferenceRequest request) {
    cache.release(request.blocks);
    cache.release(request.stateBlocks);
    request.blocks = new ArrayList<>();
    request.stateBlocks = new ArrayList<>();
    request.keyedBlocks = 0;
  }
}

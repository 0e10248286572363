package io.orrery.engine.cluster;

import io.orrery.engine.cache.BlockFlags;
import io.orrery.traces.BlockView;
import io.orrery.traces.columns.IntColumn;
import java.util.Arrays;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Who may still ask about a block: for each page of {@value BlockFlags#PAGE_KEYS} keys and each
 * copy of the trace, how often requests that have not ended name a block of it. When nobody is
 * left, what is known of the page can be forgotten, whatever the caches still hold.
 *
 * <p>Four bytes a page and copy that is under way.
 */
final class BlockClaims {
  private static final IntColumn SETTLED = new IntColumn();

  private final BlockView view;
  private final int requests;
  private final int models;

  /** Claims of the whole trace, which every copy begins with. */
  private final IntColumn ofTrace;

  private @Nullable IntColumn[] ofCopy = new IntColumn[1];
  private int[] openRequests = new int[1];

  /**
   * @param requests requests of the trace
   * @param models models of the cluster: each has keys of its own for the same block, and a request
   *     claims them all
   * @param copies whether there may be more than one copy
   */
  BlockClaims(BlockView view, int requests, int models, boolean copies) {
    this.view = view;
    this.requests = requests;
    this.models = models;
    ofTrace = IntColumn.filled((int) (view.blockCount() >>> BlockFlags.PAGE_SHIFT) + 1, 0);
    for (int r = 0; r < requests; r++) {
      claim(r);
    }
    begin(0, copies ? ofTrace.copy() : ofTrace);
  }

  private void claim(int r) {
    for (int run = view.runStart(r); run < view.runEnd(r); run++) {
      int last = lastPage(run);
      for (int page = firstPage(run); page <= last; page++) {
        ofTrace.increase(page, 1);
      }
    }
  }

  private int firstPage(int run) {
    return (int) (view.runFirst(run) >>> BlockFlags.PAGE_SHIFT);
  }

  private int lastPage(int run) {
    return (int) ((view.runFirst(run) + view.runLength(run) - 1) >>> BlockFlags.PAGE_SHIFT);
  }

  private void begin(int copy, IntColumn claims) {
    if (copy >= ofCopy.length) {
      ofCopy = Arrays.copyOf(ofCopy, copy * 2);
      openRequests = Arrays.copyOf(openRequests, copy * 2);
    }
    ofCopy[copy] = claims;
    openRequests[copy] = requests;
  }

  private IntColumn claims(int copy) {
    IntColumn known = copy < ofCopy.length ? ofCopy[copy] : null;
    if (known == null) {
      known = ofTrace.copy();
      begin(copy, known);
    }
    return known;
  }

  /** Whether a request that has not ended may name a block in the page of {@code key}. */
  boolean open(long key) {
    IntColumn claims = claims((int) (key >>> RequestKeys.COPY_SHIFT) / models);
    int page = (int) ((key & RequestKeys.TRACE_KEY) >>> BlockFlags.PAGE_SHIFT);
    return claims.size() > 0 && claims.get(page) > 0;
  }

  /**
   * The request of a row has ended, or will never be sent.
   *
   * @param forgotten takes a key of each page that nobody claims any more
   */
  void release(int row, LongConsumer forgotten) {
    int copy = row / requests;
    int r = row % requests;
    IntColumn claims = claims(copy);
    for (int run = view.runStart(r); run < view.runEnd(r); run++) {
      int last = lastPage(run);
      for (int page = firstPage(run); page <= last; page++) {
        claims.increase(page, -1);
        if (claims.get(page) == 0) {
          forget(copy, page, forgotten);
        }
      }
    }
    if (--openRequests[copy] == 0) {
      ofCopy[copy] = SETTLED;
      claims.release();
    }
  }

  private void forget(int copy, int page, LongConsumer forgotten) {
    for (int model = 0; model < models; model++) {
      long namespace = (long) copy * models + model;
      forgotten.accept(
          (namespace << RequestKeys.COPY_SHIFT) | ((long) page << BlockFlags.PAGE_SHIFT));
    }
  }
}

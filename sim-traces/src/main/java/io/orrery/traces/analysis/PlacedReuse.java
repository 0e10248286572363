package io.orrery.traces.analysis;

import io.orrery.traces.Trace;
import io.orrery.traces.columns.IntColumn;
import java.util.Arrays;

/**
 * What requests find of earlier ones, in the trace's order, where they go to one of so many workers
 * at random, each with a cache that never forgets.
 */
final class PlacedReuse {
  private final PlacementChance chance = new PlacementChance();
  private final int workers = BlockReuse.WORKERS.size();
  private final ExactSum[] placed = new ExactSum[workers];
  private final double[] withChoice = new double[workers];
  private long reused;

  // Of one request: whether all blocks so far have been touched before, and what is found.
  private boolean known;
  private long reusedHere;
  private final long[] placedHere = new long[workers];

  PlacedReuse(Trace trace) {
    Arrays.setAll(placed, w -> new ExactSum());
    IntColumn touches = IntColumn.filled(Math.toIntExact(trace.blockCount()), 0);
    BlockWalk blocks = new BlockWalk(trace, touches);
    for (int r = 0; r < trace.requestCount(); r++) {
      Arrays.fill(placedHere, 0);
      reusedHere = 0;
      known = true;
      blocks.along(r, this::find, before -> before + 1);
      reused += reusedHere;
      for (int w = 0; w < workers; w++) {
        long gain = reusedHere * PlacementChance.ONE - placedHere[w];
        withChoice[w] += BlockReuse.matters(gain, trace.inputTokens(r)) ? 1 : 0;
        placed[w].add(placedHere[w]);
      }
    }
    touches.release();
  }

  private void find(int touches, int blocks, long tokens) {
    known &= touches > 0;
    if (known) {
      reusedHere += tokens;
      for (int w = 0; w < workers; w++) {
        placedHere[w] += tokens * chance.of(w, touches);
      }
    }
  }

  /** Input tokens that an earlier request of any session had. */
  long reusedTokens() {
    return reused;
  }

  /**
   * Share of requests that gain from the best of so many workers.
   *
   * @param requests of which anything is known
   */
  double[] choice(int requests) {
    double[] shares = withChoice.clone();
    for (int w = 0; w < workers; w++) {
      shares[w] /= requests;
    }
    return shares;
  }

  /**
   * Share of input tokens found on a random one of so many workers.
   *
   * @param input known input tokens
   */
  double[] shares(double input) {
    double[] shares = new double[workers];
    for (int w = 0; w < workers; w++) {
      shares[w] = placed[w].value() / PlacementChance.ONE / input;
    }
    return shares;
  }
}

package io.orrery.models.kernels;

import io.orrery.models.CausalPairs;

/**
 * What the pairs of new queries and older keys take, which no table measures: as long as they take
 * in a whole prompt, prefix included, without its launch (the time of a prompt of one token).
 *
 * <p>A pair takes less in a longer prompt, and a launch is there but once. Shares of whole prompts
 * alone would therefore make some longer prefixes cheaper than shorter ones. Here what the last
 * query of a whole prompt adds to it never decreases with the prompt's length, so that neither a
 * longer prefix nor more new tokens ever take less.
 */
final class OlderKeys {
  private final int window;
  private final ChunkTable lastQuery;

  /**
   * Compiles the table.
   *
   * @param whole times of whole prompts
   * @param window tokens in sight, {@link Integer#MAX_VALUE} for all
   */
  OlderKeys(ChunkTable whole, int window) {
    this.window = window;
    this.lastQuery =
        new ChunkTable(
            (chunks, length) -> {
              int row = ChunkTable.row(chunks);
              double growth = whole.at(row, length) - whole.at(row, 1);
              return growth * inSight(length) / CausalPairs.count(length, 0, window) / 1e3;
            },
            (chunks, length, micros) -> micros);
  }

  private int inSight(int length) {
    return Math.min(window, length);
  }

  /**
   * Nanoseconds of the older pairs of one chunk.
   *
   * @param row row of the number of chunks in the pass, see {@link ChunkTable#row}
   * @param fresh new tokens
   * @param prefix tokens in front of them
   */
  double nanos(int row, int fresh, int prefix) {
    if (prefix == 0) {
      return 0;
    }
    int whole = (int) Math.min(ChunkTable.LONGEST, (long) fresh + prefix);
    long older = CausalPairs.count(fresh, prefix, window) - CausalPairs.count(fresh, 0, window);
    return lastQuery.at(row, whole) * ChunkTable.share(row) * older / inSight(whole);
  }
}

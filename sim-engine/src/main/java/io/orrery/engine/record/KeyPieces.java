package io.orrery.engine.record;

import io.orrery.engine.cache.PagedBlockMap;
import io.orrery.traces.StableOrder;
import io.orrery.traces.columns.IntColumn;
import io.orrery.traces.columns.LongColumn;

/**
 * The keys of a log in pieces, each of which every run of the log holds whole or not at all: cut
 * wherever a run begins or ends, and numbered by their keys, so that a run is a range of pieces.
 * What happens to a key happens to its piece.
 */
final class KeyPieces {
  private static final int WORD_SHIFT = 5;

  /** By 32 keys, a bit for each before which there is a cut. */
  private final PagedBlockMap cuts = new PagedBlockMap();

  /** By 32 keys, how many cuts are before them, and one. */
  private final PagedBlockMap before = new PagedBlockMap();

  /** Keys of a piece; of what lies between runs, anything. */
  private final IntColumn lengths = new IntColumn();

  private final IntColumn begins = new IntColumn();
  private final IntColumn ends = new IntColumn();

  KeyPieces(LookUpLog log) {
    LongColumn words = new LongColumn();
    for (int run = 0; run < log.size(); run++) {
      cut(log.first(run), words);
      cut(log.first(run) + log.length(run), words);
    }
    number(words);
    for (int run = 0; run < log.size(); run++) {
      begins.add(piece(log.first(run)));
      ends.add(piece(log.first(run) + log.length(run)));
    }
  }

  private void cut(long key, LongColumn words) {
    long word = key >> WORD_SHIFT;
    int known = cuts.get(word);
    int bit = 1 << key;
    if ((known & bit) == 0) {
      cuts.put(word, known | bit);
      if (known == 0) {
        words.add(word);
      }
    }
  }

  private void number(LongColumn words) {
    LongColumn sorted = StableOrder.sorted(words);
    words.release();
    long last = 0;
    int count = 0;
    for (int i = 0; i < sorted.size(); i++) {
      long word = sorted.get(i);
      before.put(word, count + 1);
      for (int bits = cuts.get(word); bits != 0; bits &= bits - 1) {
        long key = (word << WORD_SHIFT) + Integer.numberOfTrailingZeros(bits);
        if (count > 0) {
          lengths.add((int) Math.min(Integer.MAX_VALUE, key - last));
        }
        last = key;
        count++;
      }
    }
    sorted.release();
  }

  /** The piece that begins with a key before which there is a cut. */
  private int piece(long key) {
    long word = key >> WORD_SHIFT;
    int lower = (1 << key) - 1;
    return before.get(word) - 1 + Integer.bitCount(cuts.get(word) & lower);
  }

  /** Pieces are numbered below this. */
  int count() {
    return lengths.size();
  }

  /** Copies the numbers of keys of the pieces from one on to before another. */
  void copyLengths(int from, int to, int[] target) {
    lengths.copy(from, to, target);
  }

  /** The first piece of a run. */
  int begin(int run) {
    return begins.get(run);
  }

  /** The piece after the last of a run. */
  int end(int run) {
    return ends.get(run);
  }

  void release() {
    lengths.release();
    begins.release();
    ends.release();
  }
}

package io.orrery.traces;

import io.orrery.traces.columns.IntColumn;
import io.orrery.traces.columns.LongColumn;

/**
 * The stable sort of {@link StableOrder} for keys that may be more than the heap holds: an external
 * merge sort. Chunks are sorted in the heap, 32 bytes a key of a chunk, written to columns, and
 * merged.
 */
final class ColumnOrder {
  /** Keys of a chunk: 32 MiB of heap while it is sorted. */
  static final int USUAL_CHUNK = 1 << 20;

  private final LongColumn keys;
  private final int chunk;

  // the sorted chunks, one after the other
  private final LongColumn sortedKeys = new LongColumn();
  private final IntColumn sortedRows = new IntColumn();

  // the merge: chunks by the key that is next in them, a binary heap
  private final int[] heap;
  private int heapSize;
  private final int[] next;
  private final long[] nextKey;

  ColumnOrder(LongColumn keys, int chunk) {
    this.keys = keys;
    this.chunk = chunk;
    int chunks = (int) ((keys.size() + (long) chunk - 1) / chunk);
    heap = new int[chunks];
    next = new int[chunks];
    nextKey = new long[chunks];
  }

  /** The rows 0 .. size − 1 by ascending key, rows with equal keys in their own order. */
  IntColumn order() {
    if (isSorted()) {
      return upTo(keys.size());
    }
    if (heap.length == 1) {
      return IntColumn.of(StableOrder.of(keys.toArray()));
    }
    sortChunks(true);
    IntColumn rows = new IntColumn();
    for (int chunkOfNext = first(); chunkOfNext >= 0; chunkOfNext = after(chunkOfNext)) {
      rows.add(sortedRows.get(next[chunkOfNext]));
    }
    sortedKeys.release();
    sortedRows.release();
    return rows;
  }

  /** The keys by value. */
  LongColumn sorted() {
    if (heap.length <= 1) {
      long[] all = keys.toArray();
      DigitSort.ofKeys(all, all.length).keys(all);
      return LongColumn.of(all);
    }
    sortChunks(false);
    LongColumn result = new LongColumn();
    for (int chunkOfNext = first(); chunkOfNext >= 0; chunkOfNext = after(chunkOfNext)) {
      result.add(nextKey[chunkOfNext]);
    }
    sortedKeys.release();
    sortedRows.release();
    return result;
  }

  private boolean isSorted() {
    for (int i = 1; i < keys.size(); i++) {
      if (keys.get(i - 1) > keys.get(i)) {
        return false;
      }
    }
    return true;
  }

  /** The rows 0 .. count − 1. */
  static IntColumn upTo(int count) {
    IntColumn rows = IntColumn.filled(count, 0);
    for (int i = 0; i < count; i++) {
      rows.set(i, i);
    }
    return rows;
  }

  private void sortChunks(boolean withRows) {
    long[] part = new long[chunk];
    for (int c = 0; c < heap.length; c++) {
      int start = c * chunk;
      int count = Math.min(chunk, keys.size() - start);
      keys.copy(start, start + count, part);
      DigitSort sort = withRows ? DigitSort.withRows(part, count) : DigitSort.ofKeys(part, count);
      int[] rows = sort.rows();
      for (int i = 0; i < rows.length; i++) {
        rows[i] += start;
      }
      sort.keys(part);
      sortedKeys.addAll(part, 0, count);
      sortedRows.addAll(rows, 0, rows.length);
    }
  }

  /** Begins the merge; the chunk whose next key is least, -1 for none. */
  private int first() {
    for (int c = 0; c < heap.length; c++) {
      next[c] = c * chunk;
      nextKey[c] = sortedKeys.get(next[c]);
      heap[heapSize] = c;
      up(heapSize++);
    }
    return heapSize == 0 ? -1 : heap[0];
  }

  /** Passes over the next key of the chunk that has the least; the chunk that then has it. */
  private int after(int c) {
    next[c]++;
    if (next[c] < Math.min((c + 1L) * chunk, keys.size())) {
      nextKey[c] = sortedKeys.get(next[c]);
    } else {
      heap[0] = heap[--heapSize];
    }
    down();
    return heapSize == 0 ? -1 : heap[0];
  }

  /** Whether a chunk's next row comes before another's; of equal keys, the earlier chunk's. */
  private boolean before(int a, int b) {
    return nextKey[a] < nextKey[b] || (nextKey[a] == nextKey[b] && a < b);
  }

  private void up(int from) {
    int place = from;
    while (place > 0 && before(heap[place], heap[(place - 1) / 2])) {
      swap(place, (place - 1) / 2);
      place = (place - 1) / 2;
    }
  }

  private void down() {
    int place = 0;
    for (int child = 1; child < heapSize; child = 2 * place + 1) {
      int least = child + 1 < heapSize && before(heap[child + 1], heap[child]) ? child + 1 : child;
      if (!before(heap[least], heap[place])) {
        return;
      }
      swap(least, place);
      place = least;
    }
  }

  private void swap(int a, int b) {
    int chunkAtA = heap[a];
    heap[a] = heap[b];
    heap[b] = chunkAtA;
  }
}

package io.orrery.engine.scheduler;

import java.util.Arrays;

/**
 * Which requests of a decode-only segment cross a block boundary in which of its steps. Every step
 * computes one token of each; the first token of a block takes the block, the last one completes
 * it. So a request takes one every {@code blockSize} steps, and completes one in the step before.
 *
 * <p>Requests are numbered in the order in which they are {@linkplain #add added}. Two positions go
 * round them, one at the next to take a block and one at the next to complete one.
 */
final class BlockCrossings {
  /** Requests up to which inserting is quicker than counting. */
  private static final int FEW = 16;

  private final int blockSize;
  private int count;
  private int added;

  /** The requests by the first step that takes a block, and those steps, from 1 to a block. */
  private int[] requests = new int[FEW];

  private int[] firstTakes = new int[FEW];

  /** Scratch: a step for each request, and how many requests have each step. */
  private int[] unsorted = {};

  private int[] starts = {};

  private int nextTaker;
  private int takesRound;
  private int nextCompleter;
  private int completionsRound;

  BlockCrossings(int blockSize) {
    this.blockSize = blockSize;
  }

  /** Forgets all; so many requests will be added. */
  void clear(int requestCount) {
    count = requestCount;
    added = 0;
    if (requests.length < count) {
      requests = new int[count * 2];
      firstTakes = new int[count * 2];
      unsorted = new int[count * 2];
    }
  }

  /** Adds a request that has computed so many tokens before step 1. */
  void add(int computed) {
    int beyond = computed % blockSize;
    int take = beyond == 0 ? 1 : blockSize - beyond + 1;
    if (count > FEW) {
      unsorted[added++] = take;
      return;
    }
    int at = added;
    while (at > 0 && firstTakes[at - 1] > take) {
      firstTakes[at] = firstTakes[at - 1];
      requests[at] = requests[at - 1];
      at--;
    }
    firstTakes[at] = take;
    requests[at] = added++;
  }

  /** Begins before step 1; all requests have been added. */
  void start() {
    if (count > FEW) {
      sort();
    }
    nextTaker = 0;
    takesRound = 0;
    completionsRound = 0;
    nextCompleter = 0;
    // What takes in step 1 has completed in step 0.
    while (nextCompleter < count && firstTakes[nextCompleter] == 1) {
      nextCompleter++;
    }
    if (nextCompleter == count) {
      nextCompleter = 0;
      completionsRound = blockSize;
    }
  }

  private void sort() {
    if (starts.length == 0) {
      starts = new int[blockSize + 2];
    }
    Arrays.fill(starts, 0);
    for (int i = 0; i < count; i++) {
      starts[unsorted[i] + 1]++;
    }
    for (int step = 1; step <= blockSize; step++) {
      starts[step + 1] += starts[step];
    }
    for (int i = 0; i < count; i++) {
      int at = starts[unsorted[i]]++;
      firstTakes[at] = unsorted[i];
      requests[at] = i;
    }
  }

  /** Of {@code steps} steps those that can be scheduled with so many free blocks. */
  int stepsWith(int freeBlocks, int steps) {
    if ((long) count * ((long) steps + blockSize) <= (long) freeBlocks * blockSize) {
      return steps;
    }
    // The first take that finds no block.
    long step = firstTakes[freeBlocks % count] + (long) (freeBlocks / count) * blockSize;
    return (int) Math.min(step - 1, steps);
  }

  /** The next step that takes a block. */
  int nextTake() {
    return firstTakes[nextTaker] + takesRound;
  }

  /** The next step that completes a block. */
  int nextCompletion() {
    return firstTakes[nextCompleter] - 1 + completionsRound;
  }

  /** The next request to take a block, which is thereby done. */
  int passTake() {
    int request = requests[nextTaker++];
    if (nextTaker == count) {
      nextTaker = 0;
      takesRound += blockSize;
    }
    return request;
  }

  /** The next request to complete a block, which is thereby done. */
  int passCompletion() {
    int request = requests[nextCompleter++];
    if (nextCompleter == count) {
      nextCompleter = 0;
      completionsRound += blockSize;
    }
    return request;
  }

  /** The request that {@link #passTake} would return. */
  int nextTaker() {
    return requests[nextTaker];
  }

  /** The request that {@link #passCompletion} would return. */
  int nextCompleter() {
    return requests[nextCompleter];
  }
}

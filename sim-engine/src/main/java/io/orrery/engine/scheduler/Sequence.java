package io.orrery.engine.scheduler;

import io.orrery.engine.cache.BlockKeys;
import io.orrery.engine.cache.BlockPool;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One request inside a worker's scheduler: how far it has got, which blocks it holds. Reused by its
 * owner.
 *
 * <p>Token counts follow vLLM: {@code computed} counts tokens scheduled so far (their KV is written
 * by the end of their step), {@code placeholders} counts output tokens that are scheduled but not
 * known yet (asynchronous scheduling).
 */
public class Sequence {
  /** Where a sequence stands in its scheduler. */
  public enum State {
    WAITING,
    RUNNING,
    PREEMPTED,
    FINISHED
  }

  private static final int[] NO_BLOCKS = {};

  /** Never stops before its maximum. */
  public static final int NO_STOP = Integer.MAX_VALUE;

  /** The owner's number for the request. */
  public int request;

  /** Prompt length in tokens. */
  public int promptTokens;

  /** Output tokens after which it ends ("length"); the scheduler can predict this end. */
  public int maxOutputTokens;

  /** Output tokens after which a stop token ends it; the scheduler cannot predict this end. */
  public int stopAfter;

  /** Smaller is more urgent. */
  public int priority;

  /** Orders equal priorities; any unit. */
  public double arrivalTime;

  /** Orders equal priorities and arrival times. */
  public int tieRank;

  /** Looks nothing up in the prefix cache, but still fills it. */
  public boolean skipCacheRead;

  /** Leading blocks that the first look-up may find; a resumed request may find all of its own. */
  public int firstLookUpLimit;

  /** Keys of prompt and output. */
  public final BlockKeys keys = new BlockKeys();

  public State state = State.WAITING;
  public int outputs;

  /** Tokens drafted for its next step. */
  int drafts;

  /** The part of a token by which the accepted ones are behind what is expected. */
  double expectedTokens;

  public int computed;
  public int placeholders;
  public int preemptions;

  /** Most tokens ever computed before a preemption: what recomputing costs. */
  public int lostTokens;

  /**
   * Tokens known at the last admission, which are computed as context; 0 where the engine does not
   * tell contexts from decodes.
   */
  int contextTokens;

  /** Tokens found by the look-up at the last admission. */
  public int hitTokens;

  /**
   * Leading tokens that the last look-up found resident, among those that it might find; the hit is
   * what can be used of them.
   */
  public int residentTokens;

  int[] blocks = new int[16];
  int blockCount;
  int keyedBlocks;

  /** Blocks that hold the state of recurrent layers. */
  int[] stateBlocks = NO_BLOCKS;

  int stateBlockCount;

  /** What SGLang's scheduler knows of it. */
  @Nullable PagedRequest paged;

  /** When the last output token came, in nanoseconds; kept by the owner. */
  public long lastTokenNanos;

  /** Prepares for a new request; the caller then sets lengths and keys. */
  public void reset(int request) {
    this.request = request;
    promptTokens = 0;
    maxOutputTokens = 0;
    stopAfter = NO_STOP;
    priority = 0;
    arrivalTime = 0;
    tieRank = request;
    skipCacheRead = false;
    firstLookUpLimit = Integer.MAX_VALUE;
    keys.reset(request);
    state = State.WAITING;
    outputs = 0;
    drafts = 0;
    expectedTokens = 0;
    computed = 0;
    placeholders = 0;
    preemptions = 0;
    lostTokens = 0;
    hitTokens = 0;
    contextTokens = 0;
    residentTokens = 0;
    stateBlockCount = 0;
    paged = null;
    blockCount = 0;
    keyedBlocks = 0;
    lastTokenNanos = -1;
  }

  /** Known tokens: prompt and outputs. */
  public int tokens() {
    return promptTokens + outputs;
  }

  /** Blocks held. */
  public int blockCount() {
    return blockCount;
  }

  /** What SGLang's scheduler knows of it; only there. */
  PagedRequest paged() {
    return Objects.requireNonNull(paged);
  }

  void addBlocks(int[] more, int count) {
    ensure(blockCount + count);
    System.arraycopy(more, 0, blocks, blockCount, count);
    blockCount += count;
  }

  void addBlock(int block) {
    ensure(blockCount + 1);
    blocks[blockCount++] = block;
  }

  /** Takes blocks until there are {@code total}. */
  void takeBlocks(BlockPool pool, int total) {
    if (blockCount < total) {
      ensure(total);
      pool.take(blocks, blockCount, total - blockCount);
      blockCount = total;
    }
  }

  void addStateBlock(int block) {
    if (stateBlockCount == stateBlocks.length) {
      stateBlocks = Arrays.copyOf(stateBlocks, stateBlockCount + 4);
    }
    stateBlocks[stateBlockCount++] = block;
  }

  private void ensure(int size) {
    if (size > blocks.length) {
      blocks = Arrays.copyOf(blocks, Math.max(size, blocks.length * 2));
    }
  }
}

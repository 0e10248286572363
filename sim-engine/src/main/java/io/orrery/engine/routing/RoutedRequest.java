package io.orrery.engine.routing;

import io.orrery.engine.cache.BlockKeys;

/**
 * What a router sees of a request: never how long its output will be or what its session will ask
 * next. One instance is reused; a policy keeps numbers, not the object.
 */
public final class RoutedRequest {
  private int id;
  private int session;
  private int parentSession;
  private int inputTokens;
  private int priority;
  private int blockSize;
  private int fullBlocks;
  private int identifiedBlocks;
  private long nowNanos;
  private final BlockKeys keys = new BlockKeys();

  /**
   * Fills in the request; for the engine and for tests. Keys are set through {@link #keys()}
   * beforehand.
   */
  public RoutedRequest set(
      int id,
      int session,
      int parentSession,
      int inputTokens,
      int priority,
      int blockSize,
      long nowNanos) {
    this.id = id;
    this.session = session;
    this.parentSession = parentSession;
    this.inputTokens = inputTokens;
    this.priority = priority;
    this.blockSize = blockSize;
    this.fullBlocks = inputTokens / blockSize;
    this.identifiedBlocks = keys.named();
    this.nowNanos = nowNanos;
    return this;
  }

  /** Number of the request, dense from 0. */
  public int id() {
    return id;
  }

  /** Number of its session, dense from 0. */
  public int session() {
    return session;
  }

  /** Session that spawned this one, or -1. */
  public int parentSession() {
    return parentSession;
  }

  /** Prompt length in tokens. */
  public int inputTokens() {
    return inputTokens;
  }

  /** Smaller is more urgent; 0 unless the trace says otherwise. */
  public int priority() {
    return priority;
  }

  /** Blocks of the prompt at the engine's block size, the partial last one included. */
  public int promptBlocks() {
    return (inputTokens + blockSize - 1) / blockSize;
  }

  /** Blocks of the prompt at the engine's block size, without a partial last one. */
  public int fullBlocks() {
    return fullBlocks;
  }

  /** Leading blocks of the prompt whose content is known, at most {@link #promptBlocks()}. */
  public int identifiedBlocks() {
    return identifiedBlocks;
  }

  /** Keys of the identified blocks. */
  public BlockKeys keys() {
    return keys;
  }

  /** Tokens in a block. */
  public int blockSize() {
    return blockSize;
  }

  /** The moment of the call, in nanoseconds of simulated time. */
  public long nowNanos() {
    return nowNanos;
  }
}

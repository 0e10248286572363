package io.orrery.models;

import java.util.Arrays;

/**
 * Shape of one forward pass: what a worker computes in one step. All counts are tokens of one
 * worker (all its GPUs together).
 *
 * <p>Mutable and reused: a scheduler clears and fills one instance per step. Nothing allocates once
 * the arrays have grown to the largest batch. The fields are public because they are read in the
 * innermost loop; write them through the methods only (except {@link #kvPoolTokens}), so that the
 * sums stay true. Array elements beyond the counts are stale.
 *
 * <p>With speculative decoding every decode computes {@link #tokensPerDecode} tokens at once, the
 * drafted ones among them.
 */
public final class StepShape {
  /** Number of prefill chunks. */
  public int prefillCount;

  /** New tokens of each chunk, at least 1. */
  public int[] prefillNew = new int[8];

  /** Tokens that each chunk finds in the KV cache, at least 0. */
  public int[] prefillPrefix = new int[8];

  /** Sum of {@link #prefillNew}. */
  public int prefillNewSum;

  /** Number of decoding sequences. */
  public int decodeCount;

  /** Sum of the decode contexts. */
  public long decodeContextSum;

  /** Smallest decode context, 0 without decodes. */
  public int decodeContextMin;

  /** Largest decode context, 0 without decodes. */
  public int decodeContextMax;

  /**
   * The context of decode {@code i} is {@code decodeContexts[i] + decodeContextOffset}: the KV
   * tokens it reads, including the new one.
   */
  public int[] decodeContexts = new int[64];

  /** See {@link #decodeContexts}. */
  public int decodeContextOffset;

  /**
   * New tokens of every decode, at least 1: the next one and those drafted behind it. A property of
   * the worker, untouched by clear.
   */
  public int tokensPerDecode = 1;

  /** Tokens that the worker's KV pool holds; a property of the worker, untouched by clear. */
  public long kvPoolTokens;

  /** Empties the pass; {@link #kvPoolTokens} and {@link #tokensPerDecode} stay. */
  public void clear() {
    prefillCount = 0;
    prefillNewSum = 0;
    decodeCount = 0;
    decodeContextSum = 0;
    decodeContextMin = 0;
    decodeContextMax = 0;
    decodeContextOffset = 0;
  }

  /**
   * Adds a prefill chunk.
   *
   * @param newTokens tokens to compute, at least 1
   * @param prefixTokens tokens of the same sequence already in the KV cache, at least 0
   * @throws IllegalArgumentException if a count is out of range
   */
  public void addPrefill(int newTokens, int prefixTokens) {
    if (newTokens < 1 || prefixTokens < 0) {
      throw new IllegalArgumentException(
          "prefill of " + newTokens + " new tokens on a prefix of " + prefixTokens);
    }
    int n = prefillCount;
    if (n == prefillNew.length) {
      prefillNew = Arrays.copyOf(prefillNew, 2 * n);
      prefillPrefix = Arrays.copyOf(prefillPrefix, 2 * n);
    }
    prefillNew[n] = newTokens;
    prefillPrefix[n] = prefixTokens;
    prefillNewSum += newTokens;
    prefillCount = n + 1;
  }

  /**
   * Adds a decoding sequence.
   *
   * @param context KV tokens read, including the new ones, at least 1
   * @throws IllegalArgumentException if the context is below 1
   */
  public void addDecode(int context) {
    if (context < 1) {
      throw new IllegalArgumentException("decode with a context of " + context + " tokens");
    }
    int n = decodeCount;
    if (n == decodeContexts.length) {
      decodeContexts = Arrays.copyOf(decodeContexts, 2 * n);
    }
    decodeContexts[n] = context - decodeContextOffset;
    decodeContextSum += context;
    decodeContextMin = n == 0 ? context : Math.min(decodeContextMin, context);
    decodeContextMax = Math.max(decodeContextMax, context);
    decodeCount = n + 1;
  }

  /** Context of decode {@code i} in tokens, including the new one. */
  public int decodeContext(int i) {
    return decodeContexts[i] + decodeContextOffset;
  }

  /** The next step of the same decodes: every context one token longer. */
  public void advanceDecodes() {
    advanceDecodes(1);
  }

  /** The same decodes {@code steps} steps later. */
  public void advanceDecodes(int steps) {
    if (decodeCount == 0) {
      return;
    }
    decodeContextOffset += steps;
    decodeContextSum += (long) decodeCount * steps;
    decodeContextMin += steps;
    decodeContextMax += steps;
  }

  /** Tokens computed in this pass: those of the prefill chunks and of the decodes. */
  public int newTokens() {
    return prefillNewSum + decodeCount * tokensPerDecode;
  }

  /** Tokens of this pass that are projected to the vocabulary: one per chunk, all of decodes. */
  public int sampledTokens() {
    return prefillCount + decodeCount * tokensPerDecode;
  }
}

package io.orrery.engine.scheduler;

import java.util.Arrays;

/** The requests of one step in the scheduler's order, with what each computes. Reused. */
public final class Batch {
  /** How a request comes into a step. */
  public enum Kind {
    /** First time. */
    NEW,
    /** Again after a preemption. */
    RESUMED,
    /** It was running. */
    RUNNING
  }

  private Sequence[] sequences = new Sequence[16];
  private int[] newTokens = new int[16];
  private int[] computedBefore = new int[16];
  private byte[] kind = new byte[16];
  private boolean[] yields = new boolean[16];
  private int[] drafts = new int[16];
  private int size;
  private int totalTokens;
  private boolean preempted;
  private boolean repeats;

  private static final Kind[] KINDS = Kind.values();

  public int size() {
    return size;
  }

  /** Sum of the tokens computed. */
  public int totalTokens() {
    return totalTokens;
  }

  public Sequence sequence(int i) {
    return sequences[i];
  }

  /** Tokens that request {@code i} computes in this step. */
  public int newTokens(int i) {
    return newTokens[i];
  }

  /**
   * Tokens of request {@code i} whose KV stood before this step; at an admission, its prefix hit.
   */
  public int computedBefore(int i) {
    return computedBefore[i];
  }

  public Kind kind(int i) {
    return KINDS[kind[i]];
  }

  /** Whether this step's end gives request {@code i} an output token. */
  public boolean yieldsToken(int i) {
    return yields[i];
  }

  /** Tokens of request {@code i} that were drafted and are verified in this step. */
  public int drafts(int i) {
    return drafts[i];
  }

  void setDrafts(int i, int count) {
    drafts[i] = count;
  }

  /** Whether requests lost their blocks when it was formed. */
  public boolean preempted() {
    return preempted;
  }

  void setPreempted() {
    preempted = true;
  }

  /** Whether, if it is empty, another one is to be formed at once. */
  public boolean repeats() {
    return preempted || repeats;
  }

  void setRepeats() {
    repeats = true;
  }

  void clear() {
    size = 0;
    totalTokens = 0;
    preempted = false;
    repeats = false;
  }

  void add(Sequence sequence, Kind how, int before, int tokens) {
    if (size == sequences.length) {
      int capacity = size * 2;
      sequences = Arrays.copyOf(sequences, capacity);
      newTokens = Arrays.copyOf(newTokens, capacity);
      computedBefore = Arrays.copyOf(computedBefore, capacity);
      kind = Arrays.copyOf(kind, capacity);
      yields = Arrays.copyOf(yields, capacity);
      drafts = Arrays.copyOf(drafts, capacity);
    }
    sequences[size] = sequence;
    kind[size] = (byte) how.ordinal();
    computedBefore[size] = before;
    newTokens[size] = tokens;
    yields[size] = false;
    drafts[size] = 0;
    size++;
    totalTokens += tokens;
  }

  /** Adds a running request that decodes one token. */
  void addDecode(Sequence sequence, int before) {
    add(sequence, Kind.RUNNING, before, 1);
    yields[size - 1] = true;
  }

  void setYieldsToken(int i, boolean value) {
    yields[i] = value;
  }

  /**
   * Takes {@code sequence} out again; returns the tokens it would have computed, or -1 if it is not
   * in the batch.
   */
  int remove(Sequence sequence) {
    for (int i = 0; i < size; i++) {
      if (sequences[i] == sequence) {
        int tokens = newTokens[i];
        int moved = size - i - 1;
        System.arraycopy(sequences, i + 1, sequences, i, moved);
        System.arraycopy(newTokens, i + 1, newTokens, i, moved);
        System.arraycopy(computedBefore, i + 1, computedBefore, i, moved);
        System.arraycopy(kind, i + 1, kind, i, moved);
        size--;
        sequences[size] = null;
        totalTokens -= tokens;
        return tokens;
      }
    }
    return -1;
  }
}

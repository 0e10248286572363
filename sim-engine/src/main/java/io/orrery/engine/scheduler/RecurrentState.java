package io.orrery.engine.scheduler;

/**
 * What the state of recurrent layers (Mamba, linear attention) asks of a KV pool.
 *
 * @param snapshotTokens a prefix can be taken up again only after a multiple of so many tokens,
 *     where a snapshot of the state is kept with the block that ends there; 1 for models without
 *     such layers
 * @param blocksPerSequence blocks that the state of a running sequence takes, whatever its length
 */
public record RecurrentState(int snapshotTokens, int blocksPerSequence) {
  /** A model whose layers all keep their keys and values. */
  public static final RecurrentState NONE = new RecurrentState(1, 0);

  public RecurrentState {
    if (snapshotTokens < 1) {
      throw new IllegalArgumentException(
          "snapshotTokens: found " + snapshotTokens + ", expected at least 1");
    }
    if (blocksPerSequence < 0) {
      throw new IllegalArgumentException(
          "blocksPerSequence: found " + blocksPerSequence + ", expected 0 or more");
    }
  }

  /**
   * The longest part of a found prefix that ends where the state can be taken up.
   *
   * @param tokens found, a whole number of blocks
   */
  int usable(int tokens) {
    return tokens / snapshotTokens * snapshotTokens;
  }
}

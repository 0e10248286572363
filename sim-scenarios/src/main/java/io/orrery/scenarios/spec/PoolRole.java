package io.orrery.scenarios.spec;

/** What a pool's workers do. */
public enum PoolRole {
  /** Prefill and decode. */
  AGGREGATED("aggregated"),
  /** Prefill only. */
  PREFILL("prefill"),
  /** Decode only. */
  DECODE("decode");

  private final String key;

  PoolRole(String key) {
    this.key = key;
  }

  /** The word that scenarios use. */
  public String key() {
    return key;
  }
}

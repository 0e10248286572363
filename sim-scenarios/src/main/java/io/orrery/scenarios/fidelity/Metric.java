package io.orrery.scenarios.fidelity;

/** What is compared. */
public enum Metric {
  /** Mean time to first token, ms. */
  TTFT("ttft"),
  /** Mean time per output token, ms. */
  TPOT("tpot"),
  /** Mean time of a request, ms. */
  E2E("e2e"),
  /** Output tokens per second. */
  THROUGHPUT("throughput");

  private final String key;

  Metric(String key) {
    this.key = key;
  }

  /** Its name in JSON. */
  public String key() {
    return key;
  }

  /** Its value among the times. */
  public double of(Told told) {
    return switch (this) {
      case TTFT -> told.ttftMillis();
      case TPOT -> told.tpotMillis();
      case E2E -> told.endToEndMillis();
      case THROUGHPUT -> told.tokensPerSecond();
    };
  }
}

package io.orrery.scenarios.fidelity;

import io.orrery.models.HostCosts;

/** The host constants that measurements of whole runs can tell. */
public enum HostConstant {
  /** Factor on all kernels. */
  KERNEL_MULTIPLIER("kernelMultiplier", 0.02, 0.25),
  /** Gap per layer and pass. */
  LAYER_MICROS("layerMicros", 2, 0),
  /** Time per sequence and pass. */
  SEQUENCE_MICROS("sequenceMicros", 2, 0),
  /** More gap per layer in a pass with prefill. */
  MIXED_LAYER_MICROS("mixedLayerMicros", 20, 0),
  /** API, tokenisation and scheduling per request. */
  REQUEST_MILLIS("requestMillis", 5, 0);

  private final String label;
  private final double step;
  private final double least;

  HostConstant(String label, double step, double least) {
    this.label = label;
    this.step = step;
    this.least = least;
  }

  /** Its name among the host costs. */
  public String label() {
    return label;
  }

  /** How far it is varied to see what it does. */
  double step() {
    return step;
  }

  /** The least that makes sense. */
  double least() {
    return least;
  }

  double of(HostCosts host) {
    return switch (this) {
      case KERNEL_MULTIPLIER -> host.kernelMultiplier();
      case LAYER_MICROS -> host.layerMicros();
      case SEQUENCE_MICROS -> host.sequenceMicros();
      case MIXED_LAYER_MICROS -> host.mixedLayerMicros();
      case REQUEST_MILLIS -> host.requestMillis();
    };
  }

  /** The constants of {@code base} with this one replaced. */
  HostCosts in(HostCosts base, double value) {
    return new HostCosts(
        this == KERNEL_MULTIPLIER ? value : base.kernelMultiplier(),
        this == LAYER_MICROS ? value : base.layerMicros(),
        this == SEQUENCE_MICROS ? value : base.sequenceMicros(),
        this == MIXED_LAYER_MICROS ? value : base.mixedLayerMicros(),
        base.hostMicros(),
        base.hostSequenceMicros(),
        base.asynchronous(),
        this == REQUEST_MILLIS ? value : base.requestMillis(),
        base.promptTokenMicros());
  }
}

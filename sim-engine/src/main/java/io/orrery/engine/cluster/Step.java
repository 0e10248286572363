package io.orrery.engine.cluster;

import io.orrery.engine.scheduler.Batch;

/** A scheduled step with its duration. */
final class Step {
  final Batch batch = new Batch();

  /** How long it takes. */
  long nanos;

  /** How long its decodes alone would take. */
  long decodeNanos;
}

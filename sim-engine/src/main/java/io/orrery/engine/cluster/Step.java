package io.orrery.engine.cluster;

import io.orrery.engine.record.Recorder;
import io.orrery.engine.scheduler.Batch;

/** A scheduled step with its duration. */
final class Step {
  final Batch batch = new Batch();

  /** How long it takes. */
  long nanos;

  /** How long its decodes alone would take. */
  long decodeNanos;

  /** How long the same decodes would take without drafted tokens; 0 where nothing is drafted. */
  long plainDecodeNanos;

  /** Tells a recorder that it has ended at {@code t}. */
  void tell(Recorder recorder, int worker, long t) {
    int prefills = 0;
    int tokens = 0;
    for (int i = 0; i < batch.size(); i++) {
      if (batch.computedBefore(i) < batch.sequence(i).promptTokens) {
        prefills++;
        tokens += batch.newTokens(i);
      }
    }
    recorder.step(worker, t - nanos, t, batch.size() - prefills, prefills, tokens);
  }
}

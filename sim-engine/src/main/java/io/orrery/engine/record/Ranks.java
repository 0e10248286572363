package io.orrery.engine.record;

/**
 * Finds samples by their rank without putting all of them in order: the buckets before a rank are
 * passed over by their counts, and only the samples of the bucket that it falls into are sorted.
 */
final class Ranks {
  private final ExactSamples samples;
  private final long[] counts = new long[LogBuckets.COUNT];

  // The samples of the bucket that was looked into last.
  private ExactSamples ordered = new ExactSamples();
  private int orderedBucket = -1;

  Ranks(ExactSamples samples) {
    this.samples = samples;
    for (int i = 0; i < samples.entries(); i++) {
      counts[LogBuckets.of(samples.value(i))] += samples.weight(i);
    }
  }

  /** The sample of a rank from 1 on, of as many as the weights add up to. */
  long sample(long rank) {
    int bucket = 0;
    long before = 0;
    while (before + counts[bucket] < rank) {
      before += counts[bucket++];
    }
    if (bucket != orderedBucket) {
      order(bucket);
    }
    int at = 0;
    while (before + ordered.weight(at) < rank) {
      before += ordered.weight(at++);
    }
    return ordered.value(at);
  }

  private void order(int bucket) {
    ordered.release();
    ordered = new ExactSamples();
    for (int i = 0; i < samples.entries(); i++) {
      long value = samples.value(i);
      if (LogBuckets.of(value) == bucket) {
        ordered.add(value, samples.weight(i));
      }
    }
    ordered.sort();
    orderedBucket = bucket;
  }
}

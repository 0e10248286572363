package io.orrery.engine.scheduler;

import io.orrery.engine.cache.PoolListener;
import java.util.ArrayList;
import java.util.List;

/** Drives a synchronous scheduler by hand and writes each step down: {@code "0:4+6 1:10+1"}. */
final class SchedulerScript implements SchedulerListener {
  final Scheduler scheduler;
  final List<Sequence> sequences = new ArrayList<>();
  final List<String> events = new ArrayList<>();
  private final Batch batch = new Batch();

  SchedulerScript(SchedulerSettings settings) {
    scheduler = Scheduler.of(settings, settings.blockSize(), 1, this, PoolListener.NONE);
  }

  /** Synchronous, blocks of {@code blockSize}, a budget of 100 tokens, 10 sequences. */
  static SchedulerSettings settings(int blockSize, int blocks) {
    return new SchedulerSettings(
        blockSize, blocks, 100, 10, 1000, 0, true, true, false, true, false, 0, true, false);
  }

  /** Adds a request whose full blocks have the keys {@code first, first + 1, …}. */
  Sequence add(int prompt, int output, long firstKey, int keys) {
    Sequence sequence = new Sequence();
    sequence.reset(sequences.size());
    sequence.promptTokens = prompt;
    sequence.maxOutputTokens = output;
    sequence.keys.addRun(firstKey, keys);
    sequences.add(sequence);
    scheduler.add(sequence);
    return sequence;
  }

  /** One step, its output taken in: request, tokens computed before, tokens computed now. */
  String step() {
    scheduler.schedule(batch);
    List<String> parts = new ArrayList<>();
    for (int i = 0; i < batch.size(); i++) {
      parts.add(
          batch.sequence(i).request + ":" + batch.computedBefore(i) + "+" + batch.newTokens(i));
    }
    scheduler.update(batch);
    return String.join(" ", parts);
  }

  @Override
  public void preempted(Sequence sequence, int computedTokens) {
    events.add("preempted " + sequence.request);
  }

  @Override
  public void finishing(Sequence sequence) {
    events.add("finished " + sequence.request);
  }

  @Override
  public void failing(Sequence sequence) {
    events.add("given up " + sequence.request);
  }
}

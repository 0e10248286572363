package io.orrery.engine.scheduler;

import java.util.Arrays;

/** The running requests of a scheduler in the order of their admission. */
final class RunningList {
  private Sequence[] sequences = new Sequence[16];
  private int size;

  int size() {
    return size;
  }

  Sequence get(int i) {
    return sequences[i];
  }

  void add(Sequence sequence) {
    if (size == sequences.length) {
      sequences = Arrays.copyOf(sequences, size * 2);
    }
    sequences[size++] = sequence;
  }

  Sequence removeLast() {
    Sequence last = sequences[--size];
    sequences[size] = null;
    return last;
  }

  void remove(Sequence sequence) {
    for (int i = 0; i < size; i++) {
      if (sequences[i] == sequence) {
        System.arraycopy(sequences, i + 1, sequences, i, --size - i);
        sequences[size] = null;
        return;
      }
    }
  }

  /** Takes out the requests that are no longer running. */
  void dropEnded() {
    int kept = 0;
    for (int i = 0; i < size; i++) {
      if (sequences[i].state == Sequence.State.RUNNING) {
        sequences[kept++] = sequences[i];
      }
    }
    Arrays.fill(sequences, kept, size, null);
    size = kept;
  }

  /**
   * The request to preempt by priority: the greatest (priority, arrival time), the first of equals.
   */
  Sequence leastUrgent() {
    Sequence worst = sequences[0];
    for (int i = 1; i < size; i++) {
      Sequence other = sequences[i];
      if (other.priority > worst.priority
          || (other.priority == worst.priority && other.arrivalTime > worst.arrivalTime)) {
        worst = other;
      }
    }
    return worst;
  }

  /**
   * The request that SGLang retracts first: the fewest outputs, of these the longest prompt, of
   * these the last.
   */
  Sequence fewestOutputs() {
    Sequence victim = sequences[0];
    for (int i = 1; i < size; i++) {
      Sequence other = sequences[i];
      if (other.outputs < victim.outputs
          || (other.outputs == victim.outputs && other.promptTokens >= victim.promptTokens)) {
        victim = other;
      }
    }
    return victim;
  }
}

package io.orrery.engine.scheduler;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Requests that wait for admission: first come, first served with preempted ones in front, or by
 * (priority, arrival time, tie rank).
 */
final class WaitingQueue {
  private final boolean priorities;
  private @Nullable Sequence[] ring = new Sequence[16];
  private int head;
  private int size;

  WaitingQueue(boolean priorities) {
    this.priorities = priorities;
  }

  int size() {
    return size;
  }

  boolean isEmpty() {
    return size == 0;
  }

  Sequence get(int i) {
    Sequence sequence = ring[(head + i) & (ring.length - 1)];
    if (sequence == null) {
      throw new IndexOutOfBoundsException(i);
    }
    return sequence;
  }

  Sequence first() {
    return get(0);
  }

  void add(Sequence sequence) {
    insert(priorities ? position(sequence) : size, sequence);
  }

  /** Puts a preempted request back: in front, or where its priority belongs. */
  void putBack(Sequence sequence) {
    insert(priorities ? position(sequence) : 0, sequence);
  }

  Sequence removeFirst() {
    Sequence sequence = first();
    ring[head] = null;
    head = (head + 1) & (ring.length - 1);
    size--;
    return sequence;
  }

  boolean remove(Sequence sequence) {
    for (int i = 0; i < size; i++) {
      if (get(i) == sequence) {
        for (int k = i; k + 1 < size; k++) {
          ring[(head + k) & (ring.length - 1)] = get(k + 1);
        }
        ring[(head + size - 1) & (ring.length - 1)] = null;
        size--;
        return true;
      }
    }
    return false;
  }

  private int position(Sequence sequence) {
    int low = 0;
    int high = size;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (compare(get(middle), sequence) <= 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private static int compare(Sequence a, Sequence b) {
    if (a.priority != b.priority) {
      return Integer.compare(a.priority, b.priority);
    }
    int byTime = Double.compare(a.arrivalTime, b.arrivalTime);
    return byTime != 0 ? byTime : Integer.compare(a.tieRank, b.tieRank);
  }

  private void insert(int at, Sequence sequence) {
    if (size == ring.length) {
      Sequence[] larger = Arrays.copyOf(new Sequence[0], size * 2);
      for (int i = 0; i < size; i++) {
        larger[i] = get(i);
      }
      ring = larger;
      head = 0;
    }
    if (at == 0) {
      head = (head - 1) & (ring.length - 1);
    } else {
      for (int k = size; k > at; k--) {
        ring[(head + k) & (ring.length - 1)] = get(k - 1);
      }
    }
    ring[(head + at) & (ring.length - 1)] = sequence;
    size++;
  }
}

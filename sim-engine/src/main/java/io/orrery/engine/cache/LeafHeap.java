package io.orrery.engine.cache;

import java.util.Arrays;

/**
 * Evictable leaves in eviction order: a binary heap of node numbers that knows each one's place.
 */
final class LeafHeap {
  /** The order of two nodes. */
  interface Order {
    /** Whether {@code a} is evicted before {@code b}. */
    boolean before(int a, int b);
  }

  private final Order order;
  private int[] heap = new int[16];

  /** Place in the heap plus 1, by node; 0 where it is not in the heap. */
  private int[] place = new int[16];

  private int size;

  LeafHeap(Order order) {
    this.order = order;
  }

  int size() {
    return size;
  }

  boolean contains(int node) {
    return node < place.length && place[node] != 0;
  }

  void add(int node) {
    if (size == heap.length) {
      heap = Arrays.copyOf(heap, size * 2);
    }
    if (node >= place.length) {
      place = Arrays.copyOf(place, Math.max(node + 1, place.length * 2));
    }
    up(size++, node);
  }

  void remove(int node) {
    int hole = place[node] - 1;
    place[node] = 0;
    int moved = heap[--size];
    if (hole < size) {
      put(hole, moved);
      moved(moved);
    }
  }

  /** Restores the order after what {@code node} is ordered by has changed. */
  void moved(int node) {
    up(place[node] - 1, node);
    down(place[node] - 1, node);
  }

  /** Takes the node that is evicted first. */
  int poll() {
    int first = heap[0];
    remove(first);
    return first;
  }

  private void up(int from, int node) {
    int at = from;
    while (at > 0) {
      int above = (at - 1) >>> 1;
      if (!order.before(node, heap[above])) {
        break;
      }
      put(at, heap[above]);
      at = above;
    }
    put(at, node);
  }

  private void down(int from, int node) {
    int at = from;
    for (int child = 2 * at + 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && order.before(heap[child + 1], heap[child])) {
        child++;
      }
      if (!order.before(heap[child], node)) {
        break;
      }
      put(at, heap[child]);
      at = child;
    }
    put(at, node);
  }

  private void put(int at, int node) {
    heap[at] = node;
    place[node] = at + 1;
  }
}

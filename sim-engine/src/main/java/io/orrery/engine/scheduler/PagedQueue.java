package io.orrery.engine.scheduler;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/** SGLang's waiting requests, sorted anew before each pass that may admit some of them. */
final class PagedQueue {
  private final QueueOrder order;
  private final int pageTokens;
  private final List<QueuedRequest> waiting = new ArrayList<>();
  private double entries;

  PagedQueue(QueueOrder order, int pageTokens) {
    this.order = order;
    this.pageTokens = pageTokens;
  }

  /** Puts a new request, or one that has been taken back, at the end. */
  void add(PagedRequest request) {
    Sequence sequence = request.sequence;
    QueuedRequest queued = request.queued;
    queued.tokens = sequence.tokens();
    if (sequence.state == Sequence.State.PREEMPTED) {
      queued.findableTokens = Integer.MAX_VALUE;
    } else {
      long findable = (long) sequence.firstLookUpLimit * pageTokens;
      queued.findableTokens = (int) Math.min(findable, Integer.MAX_VALUE);
    }
    queued.queuedAt = ++entries;
    waiting.add(queued);
  }

  void sort() {
    order.sort(waiting);
  }

  int size() {
    return waiting.size();
  }

  boolean isEmpty() {
    return waiting.isEmpty();
  }

  PagedRequest get(int i) {
    return Objects.requireNonNull(waiting.get(i).owner);
  }

  void removeFirst(int count) {
    waiting.subList(0, count).clear();
  }

  void remove(PagedRequest request) {
    waiting.remove(request.queued);
  }

  void forEach(Consumer<Sequence> action) {
    for (int i = 0; i < waiting.size(); i++) {
      action.accept(get(i).sequence);
    }
  }
}

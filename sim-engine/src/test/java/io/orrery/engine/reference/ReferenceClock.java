package io.orrery.engine.reference;

import io.orrery.engine.clock.Phase;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.function.LongConsumer;

/** Events as objects, in the order (time, round, phase, entity). */
final class ReferenceClock {
  private record Event(long time, int round, Phase phase, long entity, Runnable action) {}

  /** Instants of a run that is small enough to be stepped. */
  private static final int MOST_INSTANTS = 30_000;

  /**
   * The run does not end soon. With priorities, two requests that arrived at one instant can
   * preempt each other for ever, in vLLM as here.
   */
  static final class EndlessRunException extends RuntimeException {}

  private final PriorityQueue<Event> events =
      new PriorityQueue<>(
          Comparator.comparingLong(Event::time)
              .thenComparingInt(Event::round)
              .thenComparing(Event::phase)
              .thenComparingLong(Event::entity));
  private long now;
  private int round;
  private int phase = -1;
  private boolean working;
  private int instants;

  /** What happens at times of its own, which do not keep the run going by themselves. */
  interface Timer {
    /** The next time, given that of everything else ({@link Long#MAX_VALUE} for never). */
    long next(long others);

    /** An instant begins. */
    void begin(long time);
  }

  long now() {
    return now;
  }

  void at(long time, Phase eventPhase, long entity, Runnable action) {
    int eventRound = 0;
    if (working && time == now) {
      eventRound = eventPhase.ordinal() > phase ? round : round + 1;
    }
    events.add(new Event(time, eventRound, eventPhase, entity, action));
  }

  /**
   * Works off every instant up to the limit.
   *
   * @param beforeInstant is told of every instant before anything happens at it
   * @param afterInstant is run when nothing more happens at an instant
   * @param timer adds instants
   * @return the time of the last instant, or the limit if something was still to come
   */
  long run(long limit, LongConsumer beforeInstant, Runnable afterInstant, Timer timer) {
    while (true) {
      long next = timer.next(events.isEmpty() ? Long.MAX_VALUE : events.peek().time());
      if (next == Long.MAX_VALUE) {
        return now;
      }
      if (next > limit) {
        return limit;
      }
      now = next;
      if (++instants > MOST_INSTANTS) {
        throw new EndlessRunException();
      }
      beforeInstant.accept(now);
      timer.begin(now);
      working = true;
      round = 0;
      phase = -1;
      while (!events.isEmpty() && events.peek().time() == now) {
        Event event = events.poll();
        round = event.round();
        phase = event.phase().ordinal();
        event.action().run();
      }
      working = false;
      afterInstant.run();
    }
  }
}

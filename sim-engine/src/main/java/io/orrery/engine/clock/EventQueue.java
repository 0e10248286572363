package io.orrery.engine.clock;

import io.orrery.engine.NoProgressException;
import io.orrery.engine.SimulatedTimeException;
import java.util.Arrays;

/**
 * Events in one total order: time, round, phase, entity, the order never depending on when they
 * were put in.
 *
 * <p>A 4-ary heap over two parallel {@code long} arrays; the second key packs round, phase and
 * entity. An event says only "look at this entity in this phase": an entity that has changed its
 * mind ignores the event when it comes, so nothing is ever removed early. Equal events are harmless
 * for the same reason. Steps are another matter: they end often, and are often cut short. A worker
 * has one {@linkplain #stepEnds moment} at which its step ends, and moves it.
 */
public final class EventQueue {
  /** Rounds that one instant may take before it counts as a livelock. */
  public static final int MAX_ROUNDS = 1 << 20;

  private static final int ENTITY_BITS = 36;
  private static final int PHASE_BITS = 4;
  private static final long ENTITY_MASK = (1L << ENTITY_BITS) - 1;
  private static final Phase[] PHASES = Phase.values();

  private long[] times = new long[64];
  private long[] keys = new long[64];
  private int size;
  private final StepEnds stepEnds;

  private long now = Long.MIN_VALUE;
  private int round;
  private int phase = -1;

  /**
   * Without an event.
   *
   * @param workers whose steps may end, by ids from 0 on
   */
  public EventQueue(int workers) {
    stepEnds = new StepEnds(workers);
  }

  /**
   * Has the {@link Phase#STEP_END} of a worker come at {@code time}, and not when it was to come.
   *
   * @param time nanoseconds, after the instant that is being worked off
   */
  public void stepEnds(int worker, long time) {
    requireTime(time);
    if (time <= now) {
      throw new IllegalArgumentException("step ends at " + time + " ns, the present is " + now);
    }
    stepEnds.set(worker, time);
  }

  /** The step of a worker does not end when it was to. */
  public void stepDoesNotEnd(int worker) {
    stepEnds.set(worker, StepEnds.NEVER);
  }

  private static void requireTime(long time) {
    if (time < 0 || time == Long.MAX_VALUE) {
      throw new SimulatedTimeException(
          "simulated time passes 2^63 ns, some 292 years, expected delays, step times and a speedup that end before");
    }
  }

  /**
   * Adds an event. One for the present instant happens in this round if its phase is still to come,
   * else in the next.
   *
   * @param time nanoseconds, not before the instant that is being worked off
   * @param entity at least 0 and below 2^36
   */
  public void add(long time, Phase eventPhase, long entity) {
    requireTime(time);
    if (time < now) {
      throw new IllegalArgumentException(
          "event at " + time + " ns lies before the present, " + now + " ns");
    }
    int eventRound = 0;
    if (time == now) {
      eventRound = eventPhase.ordinal() > phase ? round : round + 1;
      if (eventRound >= MAX_ROUNDS) {
        throw new NoProgressException(
            "time stands still: more than "
                + MAX_ROUNDS
                + " rounds of events at "
                + time
                + " ns, as when sessions that are refused at once start over without end");
      }
    }
    long key =
        ((long) eventRound << (ENTITY_BITS + PHASE_BITS))
            | ((long) eventPhase.ordinal() << ENTITY_BITS)
            | entity;
    if (size == times.length) {
      times = Arrays.copyOf(times, size * 2);
      keys = Arrays.copyOf(keys, size * 2);
    }
    siftUp(size++, time, key);
  }

  /** Whether there is no event. */
  public boolean isEmpty() {
    return nextTime() == Long.MAX_VALUE;
  }

  /** The time of the next event; {@link Long#MAX_VALUE} if there is none. */
  public long nextTime() {
    long stepEnd = stepEnds.nextTime();
    return size == 0 ? stepEnd : Math.min(times[0], stepEnd);
  }

  /** Begins an instant: events added for {@code time} from now on are ordered among those there. */
  public void begin(long time) {
    now = time;
    round = 0;
    phase = -1;
  }

  /**
   * Takes the next event of the present instant.
   *
   * @return its entity, or -1 if nothing more happens now; the phase is then in {@link #phase()}
   */
  public long poll() {
    if (stepEnds.nextTime() == now) {
      phase = Phase.STEP_END.ordinal();
      int worker = stepEnds.nextWorker();
      stepEnds.set(worker, StepEnds.NEVER);
      return worker;
    }
    if (size == 0 || times[0] != now) {
      return -1;
    }
    long key = keys[0];
    round = (int) (key >>> (ENTITY_BITS + PHASE_BITS));
    phase = (int) (key >>> ENTITY_BITS) & ((1 << PHASE_BITS) - 1);
    size--;
    if (size > 0) {
      siftDown(times[size], keys[size]);
    }
    return key & ENTITY_MASK;
  }

  /** The phase of the event taken last. */
  public Phase phase() {
    return PHASES[phase];
  }

  private void siftUp(int from, long time, long key) {
    int at = from;
    while (at > 0) {
      int parent = (at - 1) >>> 2;
      if (!before(time, key, times[parent], keys[parent])) {
        break;
      }
      times[at] = times[parent];
      keys[at] = keys[parent];
      at = parent;
    }
    times[at] = time;
    keys[at] = key;
  }

  private void siftDown(long time, long key) {
    int at = 0;
    while (true) {
      int child = (at << 2) + 1;
      if (child >= size) {
        break;
      }
      int least = child;
      int end = Math.min(child + 4, size);
      for (int i = child + 1; i < end; i++) {
        if (before(times[i], keys[i], times[least], keys[least])) {
          least = i;
        }
      }
      if (!before(times[least], keys[least], time, key)) {
        break;
      }
      times[at] = times[least];
      keys[at] = keys[least];
      at = least;
    }
    times[at] = time;
    keys[at] = key;
  }

  private static boolean before(long time, long key, long otherTime, long otherKey) {
    return time != otherTime ? time < otherTime : key < otherKey;
  }
}

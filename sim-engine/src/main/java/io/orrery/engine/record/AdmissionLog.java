package io.orrery.engine.record;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What admission did. Sessions are numbered through the copies of the trace; times are nanoseconds
 * of simulated time.
 */
public final class AdmissionLog {
  private final boolean active;
  private final List<String> reasons = new ArrayList<>();
  private final SortedMap<String, Long> holds = new TreeMap<>();
  private final SortedMap<String, Long> releases = new TreeMap<>();
  private long pauses;
  private long forcedResumes;
  private long marks;

  // By session that was ever paused.
  private final SortedMap<Integer, SessionPauses> sessions = new TreeMap<>();

  // How many sessions were paused from each moment on.
  private long[] changes = {};
  private int[] levels = {};
  private int changeCount;
  private int paused;

  private final Samples usedTokens = new Samples();
  private final Samples reasoningTokens = new Samples();
  private final Samples heldTokens = new Samples();

  /** The pauses of one session. */
  public static final class SessionPauses {
    private long count;
    private long nanos;
    private long since = -1;

    /** How often it was paused. */
    public long count() {
      return count;
    }

    /** How long it was paused in all, with or without a request that waited. */
    public long nanos() {
      return nanos;
    }
  }

  /**
   * @param active whether there is an admission policy at all
   */
  public AdmissionLog(boolean active) {
    this.active = active;
  }

  /** Whether there is an admission policy. */
  public boolean active() {
    return active;
  }

  /** Requests that were held back, by reason. */
  public SortedMap<String, Long> holds() {
    return Collections.unmodifiableSortedMap(holds);
  }

  /** Held requests that were let go, by reason. */
  public SortedMap<String, Long> releases() {
    return Collections.unmodifiableSortedMap(releases);
  }

  /** How often a session was paused. */
  public long pauses() {
    return pauses;
  }

  /** How often a session went on only because it had waited for too long. */
  public long forcedResumes() {
    return forcedResumes;
  }

  /** How often a session was marked to be paused at its next tool call. */
  public long marks() {
    return marks;
  }

  /** The sessions that were ever paused, by number. */
  public SortedMap<Integer, SessionPauses> sessions() {
    return Collections.unmodifiableSortedMap(sessions);
  }

  /** Moments at which the number of paused sessions changed. */
  public int changes() {
    return changeCount;
  }

  /** The {@code i}-th moment. */
  public long changeNanos(int i) {
    return changes[i];
  }

  /** Paused sessions from the {@code i}-th moment on. */
  public int pausedSessions(int i) {
    return levels[i];
  }

  /** What the policy counted as in use, in tokens, for each worker at each of its ticks. */
  public Samples usedTokens() {
    return usedTokens;
  }

  /** Of these, what belongs to sessions with a request on its way. */
  public Samples reasoningTokens() {
    return reasoningTokens;
  }

  /** What the worker's running requests held in truth at these moments, in tokens. */
  public Samples heldTokens() {
    return heldTokens;
  }

  /**
   * A request is held back.
   *
   * @return the number of the reason, for {@link #reason}; reasons beyond the first 127 are one
   */
  public byte held(String reason) {
    holds.merge(reason, 1L, Long::sum);
    int number = reasons.indexOf(reason);
    if (number < 0) {
      number = Math.min(reasons.size(), Byte.MAX_VALUE - 1);
      if (number == reasons.size()) {
        reasons.add(number == Byte.MAX_VALUE - 1 ? "other" : reason);
      }
    }
    return (byte) number;
  }

  /** A reason by its number. */
  public String reason(int number) {
    return reasons.get(number);
  }

  /** A held request is let go. */
  public void released(String reason) {
    releases.merge(reason, 1L, Long::sum);
  }

  /** A session is paused; ignored if it is already. */
  public void paused(int session, long nanos) {
    SessionPauses pause = sessions.computeIfAbsent(session, key -> new SessionPauses());
    if (pause.since >= 0) {
      return;
    }
    pause.since = nanos;
    pause.count++;
    pauses++;
    change(nanos, 1);
  }

  /** A session goes on; ignored if it is not paused. */
  public void resumed(int session, boolean forced, long nanos) {
    SessionPauses pause = sessions.get(session);
    if (pause == null || pause.since < 0) {
      return;
    }
    pause.nanos += nanos - pause.since;
    pause.since = -1;
    forcedResumes += forced ? 1 : 0;
    change(nanos, -1);
  }

  /** A session is marked. */
  public void marked() {
    marks++;
  }

  /** Accounts for sessions that are still paused at the end of the run. */
  public void settle(long nanos) {
    for (SessionPauses pause : sessions.values()) {
      if (pause.since >= 0) {
        pause.nanos += nanos - pause.since;
        pause.since = nanos;
      }
    }
  }

  /** A worker's ledger and its truth at a tick. */
  public void ledger(long used, long reasoning, long held) {
    usedTokens.add(used, 1);
    reasoningTokens.add(reasoning, 1);
    heldTokens.add(held, 1);
  }

  private void change(long nanos, int by) {
    paused += by;
    if (changeCount > 0 && changes[changeCount - 1] == nanos) {
      levels[changeCount - 1] = paused;
      return;
    }
    if (changeCount == changes.length) {
      changes = Arrays.copyOf(changes, Math.max(64, changeCount * 2));
      levels = Arrays.copyOf(levels, changes.length);
    }
    changes[changeCount] = nanos;
    levels[changeCount++] = paused;
  }
}

package io.orrery.engine.admission;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * A session in the words of ThunderAgent, which calls it a program: <i>reasoning</i> while the
 * model works for it and <i>acting</i> while a tool does; active, or paused. Pausing changes this
 * ledger only: the KV blocks are left to the cache's own eviction.
 */
final class Program {
  static final int NO_WORKER = -1;

  private final int session;
  boolean acting;
  boolean paused;

  /** To be paused when the request that it has running ends. */
  boolean marked;

  /** The worker that its requests go to, or {@link #NO_WORKER}. */
  int worker = NO_WORKER;

  /** Where it was when it was paused, or {@link #NO_WORKER}. */
  int origin = NO_WORKER;

  /** Requests that it has sent. */
  int steps;

  /** Its context, as far as the policy knows. */
  long tokens;

  /** The same at the moment at which it was paused. */
  long tokensWhenPaused;

  long actingSinceNanos;
  long softDemotedUntilNanos;

  private final Deque<HeldRequest> held = new ArrayDeque<>();
  private final List<Running> running = new ArrayList<>();

  /** A request that waits for the session to be resumed. */
  record HeldRequest(int request, long deadlineNanos) {}

  /** A request that may be streaming output, and how much of it the ledger has counted. */
  private static final class Running {
    private final int request;
    private int counted;

    Running(int request) {
      this.request = request;
    }
  }

  /** What a running request has got so far. */
  interface Progress {
    int outputTokens(int request);
  }

  Program(int session) {
    this.session = session;
  }

  int session() {
    return session;
  }

  /** Requests that wait for the session to be resumed, first come first. */
  Deque<HeldRequest> held() {
    return held;
  }

  void runs(int request) {
    running.add(new Running(request));
  }

  void ends(int request) {
    running.removeIf(each -> each.request == request);
  }

  boolean isRunning() {
    return !running.isEmpty();
  }

  /**
   * Adds the output tokens that have come since the last call.
   *
   * @param every they come to notice in portions of so many
   * @param count whether they are added, or just noticed
   */
  void stream(Progress progress, int every, boolean count) {
    for (Running each : running) {
      int seen = progress.outputTokens(each.request) / every * every;
      if (seen > each.counted) {
        if (count) {
          tokens += seen - each.counted;
        }
        each.counted = seen;
      }
    }
  }
}

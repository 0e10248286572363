package io.orrery.traces.synthesis;

import io.orrery.traces.Trace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Fits a profile to a trace. */
public final class ProfileFit {
  private final Trace trace;

  private ProfileFit(Trace trace) {
    this.trace = trace;
  }

  /**
   * The profile of a trace.
   *
   * @param source what the trace is, for whoever finds the profile
   */
  public static TraceProfile of(Trace trace, String source) {
    return new ProfileFit(trace).profile(source);
  }

  /**
   * Whether a trace is taken to end amid its sessions, so that one like it has as many requests,
   * and not as many sessions.
   */
  public static boolean endsAmidSessions(Trace trace) {
    return trace.sharedClock()
        && (trace.sessionCount() == trace.requestCount()
            || trace.sessionCount() >= CutOff.LEAST_SESSIONS);
  }

  private TraceProfile profile(String source) {
    boolean blocks = trace.blocksKnown() && trace.blockCount() > 0;
    boolean stateless = trace.sharedClock() && trace.sessionCount() == trace.requestCount();
    List<int[]> roots = new ArrayList<>();
    FanOutFit fanOut = new FanOutFit(trace);
    List<Integer> numbers = new ArrayList<>();
    if (stateless) {
      roots.addAll(new ContinuedPrompts(trace).chains());
    } else {
      for (int s = 0; s < trace.sessionCount(); s++) {
        if (trace.parentSession(s) < 0) {
          roots.add(requests(s));
          numbers.add(s);
        } else {
          fanOut.add(s, requests(s));
        }
      }
    }
    boolean[] starts = new boolean[roots.size()];
    for (int i = 0; i < numbers.size(); i++) {
      starts[i] = fanOut.starts(numbers.get(i));
    }
    return new TraceProfile(
        TraceProfile.VERSION,
        source,
        trace.blockSize(),
        blocks,
        stateless,
        arrivals(stateless, roots),
        new ShapeFit(trace, stateless, roots).shape(starts),
        fanOut.fanOut());
  }

  private int[] requests(int session) {
    int[] requests = new int[trace.requestCount(session)];
    for (int turn = 0; turn < requests.length; turn++) {
      requests[turn] = trace.request(session, turn);
    }
    return requests;
  }

  /** Of all requests, where each is a session. */
  private @Nullable ArrivalPattern arrivals(boolean stateless, List<int[]> roots) {
    if (!trace.sharedClock()) {
      return null;
    }
    long[] starts = new long[stateless ? trace.requestCount() : roots.size()];
    for (int i = 0; i < starts.length; i++) {
      starts[i] = Math.max(0, trace.arrivalNanos(stateless ? i : roots.get(i)[0]));
    }
    Arrays.sort(starts);
    return starts[0] == starts[starts.length - 1] ? null : ArrivalPattern.of(starts);
  }
}

package io.orrery.traces.synthesis;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Measures synthetic sessions as the corpus was measured; sub-agents' requests stand apart. */
final class SessionMeasurements {
  private static final Map<AgentTraceOptions, SessionMeasurements> MEASURED = new LinkedHashMap<>();

  final Column requestsPerSession = new Column();
  final Column requestsPerUserTurn = new Column();
  final Column inputTokens = new Column();
  final Column outputTokens = new Column();
  final Column uncachedTokens = new Column();
  final Column toolWaitSeconds = new Column();
  final Column userWaitSeconds = new Column();
  final Column apiSeconds = new Column();
  final Column subAgentRequests = new Column();
  int sessions;
  int sessionsWithSubAgents;
  int subAgents;
  int backgroundSubAgents;
  int steps;
  int rewrites;
  int shrinks;
  int outputsInNextPrompt;
  long inputSum;
  long reusedSum;
  int longestRequest;
  int requestsOfSubAgents;

  static SessionMeasurements of(AgentTraceOptions options) {
    return MEASURED.computeIfAbsent(options, SessionMeasurements::measure);
  }

  private static SessionMeasurements measure(AgentTraceOptions options) {
    AgentTraceSynthesizer synthesizer = new AgentTraceSynthesizer(options);
    SessionMeasurements measured = new SessionMeasurements();
    for (int i = 0; i < options.sessions(); i++) {
      measured.add(synthesizer.session(i));
    }
    return measured;
  }

  /** Share of the input tokens in leading blocks that the session had before. */
  double reusedShare() {
    return (double) reusedSum / inputSum;
  }

  double rewriteShare() {
    return (double) rewrites / steps;
  }

  int requests() {
    return inputTokens.size();
  }

  private void add(AgentSession session) {
    List<AgentCall> calls = session.calls();
    sessions++;
    requestsPerSession.add(calls.size());
    int inTurn = 0;
    int highest = -1;
    for (int i = 0; i < calls.size(); i++) {
      AgentCall call = calls.get(i);
      longest(call);
      inputTokens.add(call.inputTokens());
      outputTokens.add(call.outputTokens());
      apiSeconds.add(call.serviceMillis() / 1000.0);
      int[] ids = call.blocks().ids();
      int reused = seen(ids, highest) * CallSynthesizer.BLOCK_SIZE;
      uncachedTokens.add(call.inputTokens() - reused);
      inputSum += call.inputTokens();
      reusedSum += reused;
      highest = Math.max(highest, ids[ids.length - 1]);
      inTurn++;
      if (call.endsTurn()) {
        requestsPerUserTurn.add(inTurn);
        inTurn = 0;
      }
      if (i > 0) {
        step(calls.get(i - 1), call);
      }
    }
    sessionsWithSubAgents += session.subAgents().isEmpty() ? 0 : 1;
    for (SubAgent subAgent : session.subAgents()) {
      subAgents++;
      backgroundSubAgents += subAgent.background() ? 1 : 0;
      subAgentRequests.add(subAgent.calls().size());
      requestsOfSubAgents += subAgent.calls().size();
      subAgent.calls().forEach(this::longest);
    }
  }

  private void step(AgentCall before, AgentCall call) {
    (before.endsTurn() ? userWaitSeconds : toolWaitSeconds).add(call.waitMillis() / 1000.0);
    steps++;
    if (call.blocks().commonWith(before.blocks()) < before.blocks().count() / 2.0) {
      rewrites++;
      shrinks += call.inputTokens() < 0.8 * before.inputTokens() ? 1 : 0;
    } else if (call.inputTokens() >= before.inputTokens() + before.outputTokens()) {
      outputsInNextPrompt++;
    }
  }

  private void longest(AgentCall call) {
    longestRequest = Math.max(longestRequest, call.inputTokens() + call.outputTokens());
  }

  /** Leading blocks not above the highest id so far: ids rise, and new blocks get new ones. */
  private static int seen(int[] ids, int highest) {
    int place = Arrays.binarySearch(ids, highest + 1);
    return place < 0 ? -place - 1 : place;
  }

  /** Numbers and their quantiles. */
  static final class Column {
    private double[] values = new double[64];
    private int size;
    private boolean sorted;

    void add(double value) {
      if (size == values.length) {
        values = Arrays.copyOf(values, 2 * size);
      }
      values[size++] = value;
      sorted = false;
    }

    int size() {
      return size;
    }

    /** The value below which the given share lies: that at rank ⌊share × n⌋, as in the corpus. */
    double quantile(double share) {
      if (!sorted) {
        Arrays.sort(values, 0, size);
        sorted = true;
      }
      return values[Math.min(size - 1, (int) (share * size))];
    }
  }
}

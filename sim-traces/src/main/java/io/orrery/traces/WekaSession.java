package io.orrery.traces;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One session object as it stands in the file, or the inside of a sub-agent: its requests and its
 * sub-agents.
 */
final class WekaSession {
  String id = "";
  int line;
  int blockSize;
  boolean globalIds;
  int toolTokens;
  int systemTokens;

  /** Block ids of all requests of the tree, in the file's numbering. */
  final RunColumn fileIds;

  final List<Request> requests = new ArrayList<>();
  final List<SubAgent> subAgents = new ArrayList<>();

  WekaSession(RunColumn fileIds) {
    this.fileIds = fileIds;
  }

  /** One LLM call. Times in ns, {@link Trace#NO_TIME} where the file has none. */
  static final class Request {
    long t = Trace.NO_TIME;
    long apiTime = Trace.NO_TIME;
    long thinkTime = Trace.NO_TIME;
    long ttft = Trace.NO_TIME;
    int input;
    int output;
    int line;
    int idRun;
    int idCount;
    boolean hasIds;
    @Nullable String model;
    @Nullable String stop;

    /** Its number in the assembler. */
    int number = -1;

    /** Recorded end, or NO_TIME. */
    long end() {
      return apiTime == Trace.NO_TIME ? Trace.NO_TIME : t + apiTime;
    }
  }

  /** A sub-agent marker and what it holds. */
  static final class SubAgent {
    final WekaSession inside;
    long t = Trace.NO_TIME;
    long duration = Trace.NO_TIME;
    boolean background;
    @Nullable String agentId;

    /** Number of the parent's own requests before the marker in the file. */
    int position;

    /** Recorded end on the root session's clock, set by {@link WekaTimes}. */
    long end;

    /** Whether it ended later than that, nobody knows when. */
    boolean endOpen;

    SubAgent(WekaSession inside) {
      this.inside = inside;
    }
  }

  /** Moves the times of this object's own requests and markers, not those inside the markers. */
  void shiftOwn(long nanos) {
    for (Request request : requests) {
      request.t = Math.min(request.t + nanos, Decimals.MAX_NANOS);
    }
    for (SubAgent agent : subAgents) {
      agent.t = Math.min(agent.t + nanos, Decimals.MAX_NANOS);
    }
  }

  /** Moves all times of the tree. */
  void shift(long nanos) {
    shiftOwn(nanos);
    for (SubAgent agent : subAgents) {
      agent.end += nanos;
      agent.inside.shift(nanos);
    }
  }

  /** The latest recorded end in the tree; a request without one ends at its start. */
  long latestEnd() {
    long last = 0;
    for (Request request : requests) {
      last = Math.max(last, Math.max(request.t, request.end()));
    }
    for (SubAgent agent : subAgents) {
      last = Math.max(last, agent.inside.latestEnd());
    }
    return last;
  }

  /** Whether the last of its own requests has no recorded end. */
  boolean lastEndOpen() {
    return !requests.isEmpty() && requests.get(requests.size() - 1).end() == Trace.NO_TIME;
  }

  /** The earliest start in the tree. */
  long earliest() {
    long first = Long.MAX_VALUE;
    for (Request request : requests) {
      first = Math.min(first, request.t);
    }
    for (SubAgent agent : subAgents) {
      first = Math.min(first, agent.inside.earliest());
    }
    return first;
  }
}

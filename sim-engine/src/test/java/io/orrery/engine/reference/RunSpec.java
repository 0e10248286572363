package io.orrery.engine.reference;

import io.orrery.engine.DispatchSettings;
import io.orrery.engine.PoolSettings;
import io.orrery.engine.RouterSettings;
import io.orrery.engine.SimulationSettings;
import io.orrery.traces.BlockView;
import io.orrery.traces.EdgeTrigger;
import io.orrery.traces.Trace;
import io.orrery.traces.TraceBuilder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * A small run written down: everything that a simulation is given, in a form that can be printed
 * and cut down.
 */
record RunSpec(
    int traceBlockSize,
    int engineBlockSize,
    boolean sharedClock,
    List<SessionSpec> sessions,
    SimulationSettings settings) {
  /** A session; {@code parent} is the id of the one that started it, or null. */
  record SessionSpec(String id, String parent, List<RequestSpec> requests) {}

  /**
   * A request.
   *
   * @param arrival recorded start in ns, or -1
   */
  record RequestSpec(
      String id,
      int input,
      int output,
      long[] blocks,
      long arrival,
      int priority,
      List<EdgeSpec> edges) {}

  /** What a request waits for. */
  record EdgeSpec(String from, EdgeTrigger trigger, long delay) {}

  Trace trace() {
    TraceBuilder builder = Trace.builder(traceBlockSize).sharedClock(sharedClock);
    for (SessionSpec session : sessions) {
      builder.session(session.id(), session.parent());
      for (RequestSpec request : session.requests()) {
        builder
            .request(request.id())
            .input(request.input())
            .output(request.output())
            .blocks(request.blocks())
            .priority(request.priority());
        if (request.arrival() >= 0) {
          builder.arrival(request.arrival());
        }
        for (EdgeSpec edge : request.edges()) {
          builder.after(edge.from(), edge.trigger(), edge.delay());
        }
      }
    }
    return builder.build();
  }

  BlockView view(Trace trace) {
    return BlockView.of(trace, engineBlockSize);
  }

  int requestCount() {
    return sessions.stream().mapToInt(session -> session.requests().size()).sum();
  }

  RunSpec with(List<SessionSpec> newSessions) {
    return new RunSpec(traceBlockSize, engineBlockSize, sharedClock, newSessions, settings);
  }

  RunSpec with(SimulationSettings newSettings) {
    return new RunSpec(traceBlockSize, engineBlockSize, sharedClock, sessions, newSettings);
  }

  RunSpec withPools(List<PoolSettings> pools) {
    return with(
        new SimulationSettings(
                settings.dispatch(),
                pools,
                settings.routing(),
                settings.routingParameters(),
                settings.completionReuse(),
                settings.router(),
                settings.timeLimitNanos(),
                settings.seed())
            .with(settings.admission()));
  }

  RunSpec withTiming(DispatchSettings dispatch, RouterSettings router, long timeLimit) {
    return with(
        new SimulationSettings(
                dispatch,
                settings.pools(),
                settings.routing(),
                settings.routingParameters(),
                settings.completionReuse(),
                router,
                timeLimit,
                settings.seed())
            .with(settings.admission()));
  }

  /** Without edges from requests, and without parents, that are no longer there. */
  RunSpec mended() {
    Set<String> requests = new HashSet<>();
    Set<String> ids = new HashSet<>();
    for (SessionSpec session : sessions) {
      if (!session.requests().isEmpty()) {
        ids.add(session.id());
        session.requests().forEach(request -> requests.add(request.id()));
      }
    }
    List<SessionSpec> mended = new ArrayList<>();
    for (SessionSpec session : sessions) {
      if (session.requests().isEmpty()) {
        continue;
      }
      List<RequestSpec> kept = new ArrayList<>();
      for (RequestSpec request : session.requests()) {
        List<EdgeSpec> edges =
            request.edges().stream().filter(edge -> requests.contains(edge.from())).toList();
        long arrival = edges.isEmpty() ? Math.max(0, request.arrival()) : request.arrival();
        kept.add(
            new RequestSpec(
                request.id(),
                request.input(),
                request.output(),
                request.blocks(),
                arrival,
                request.priority(),
                edges));
      }
      String parent = ids.contains(session.parent()) ? session.parent() : null;
      mended.add(new SessionSpec(session.id(), parent, kept));
    }
    return with(mended);
  }

  /** The run as a reader wants it: the trace request by request, then the settings. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    text.append("trace blocks of ").append(traceBlockSize);
    text.append(", engine blocks of ").append(engineBlockSize);
    text.append(sharedClock ? ", one clock\n" : ", a clock for each session tree\n");
    for (SessionSpec session : sessions) {
      text.append("session ").append(session.id());
      text.append(session.parent() == null ? "" : " of " + session.parent()).append('\n');
      for (RequestSpec request : session.requests()) {
        text.append("  ").append(request.id());
        text.append(": ").append(request.input()).append(" + ").append(request.output());
        text.append(" blocks ").append(runs(request.blocks()));
        text.append(request.arrival() < 0 ? "" : " at " + request.arrival());
        text.append(request.priority() == 0 ? "" : " priority " + request.priority());
        for (EdgeSpec edge : request.edges()) {
          text.append(" after ").append(edge.from()).append(' ').append(edge.trigger());
          text.append(" + ").append(edge.delay());
        }
        text.append('\n');
      }
    }
    for (PoolSettings pool : settings.pools()) {
      text.append(pool).append('\n');
    }
    text.append(settings.dispatch()).append('\n');
    text.append("routing ").append(settings.routing().name());
    text.append(settings.routingParameters());
    text.append(", admission ").append(settings.admission().policy().name());
    text.append(settings.admission().parameters());
    text.append(", completionReuse ").append(settings.completionReuse());
    text.append(", ").append(settings.router());
    long limit = settings.timeLimitNanos();
    text.append(", timeLimit ").append(limit == Long.MAX_VALUE ? "none" : limit);
    text.append(", seed ").append(settings.seed()).append('\n');
    return text.toString();
  }

  private static String runs(long[] blocks) {
    return blocks.length <= 12
        ? Arrays.toString(blocks)
        : LongStream.of(blocks).mapToObj(Long::toString).collect(Collectors.joining(" "));
  }
}

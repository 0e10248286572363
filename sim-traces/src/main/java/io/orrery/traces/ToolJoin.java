package io.orrery.traces;

import io.orrery.traces.columns.LongColumn;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Joins tools to the requests that called them: the last request of the tool's session that had
 * ended when the tool started, else the last that had started.
 */
final class ToolJoin {
  private final TraceAssembler assembler;
  private final LongColumn ends;
  private final List<Tool> tools = new ArrayList<>();

  private final Map<Integer, ToolNames> names = new TreeMap<>();

  private record Tool(Collection<String> sessions, long start, String name) {}

  /**
   * Joins tools.
   *
   * @param ends each request's recorded end, NO_TIME for none
   */
  ToolJoin(TraceAssembler assembler, LongColumn ends) {
    this.assembler = assembler;
    this.ends = ends;
  }

  /** Adds a tool of a session, which may be opened later or never. */
  void add(String session, long start, String name) {
    add(List.of(session), start, name);
  }

  /** Adds a tool of one of several sessions. */
  void add(Collection<String> sessions, long start, String name) {
    tools.add(new Tool(sessions, start, name));
  }

  /** Writes the tools' names down, each request's in the order in which they started. */
  void join() {
    if (tools.isEmpty()) {
      return;
    }
    SessionsByTime sessions = new SessionsByTime(assembler);
    int[] byStart = StableOrder.of(tools.stream().mapToLong(Tool::start).toArray());
    for (int index : byStart) {
      join(tools.get(index), sessions);
    }
    names.forEach((request, list) -> assembler.tools.set(request, list.text()));
  }

  private void join(Tool tool, SessionsByTime sessions) {
    int caller = -1;
    for (String id : tool.sessions()) {
      int session = assembler.sessions.find(id);
      int candidate = session < 0 ? -1 : caller(tool, session, sessions);
      caller =
          candidate >= 0 && (caller < 0 || isLater(candidate, caller, tool)) ? candidate : caller;
    }
    if (caller < 0) {
      assembler.count("tools that no request of the trace called");
      return;
    }
    names.computeIfAbsent(caller, request -> new ToolNames()).add(tool.name());
  }

  private int caller(Tool tool, int session, SessionsByTime sessions) {
    int from = sessions.start(session);
    int low = from;
    int high = sessions.end(session);
    while (low < high) {
      int middle = (low + high) >>> 1;
      boolean started = assembler.arrival.get(sessions.request(middle)) <= tool.start();
      low = started ? middle + 1 : low;
      high = started ? high : middle;
    }
    // Requests of a session rarely overlap: the one that had ended is the last or the one before.
    for (int i = low - 1; i >= Math.max(from, low - 8); i--) {
      if (hadEnded(sessions.request(i), tool)) {
        return sessions.request(i);
      }
    }
    return low > from ? sessions.request(low - 1) : -1;
  }

  /** Whether a request is rather the caller than one of another session. */
  private boolean isLater(int request, int other, Tool tool) {
    boolean ended = hadEnded(request, tool);
    if (ended != hadEnded(other, tool)) {
      return ended;
    }
    LongColumn times = ended ? ends : assembler.arrival;
    return times.get(request) > times.get(other);
  }

  private boolean hadEnded(int request, Tool tool) {
    return ends.get(request) != Trace.NO_TIME && ends.get(request) <= tool.start();
  }
}

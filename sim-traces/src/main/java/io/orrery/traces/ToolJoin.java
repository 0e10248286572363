package io.orrery.traces;

import java.util.ArrayList;
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

  private record Tool(String session, long start, String name) {}

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
    tools.add(new Tool(session, start, name));
  }

  /** Writes the tools' names down, each request's in the order in which they started. */
  void join() {
    if (tools.isEmpty()) {
      return;
    }
    int[] order = StableOrder.of(assembler.arrival.toArray());
    int[] sessionStart = new int[assembler.sessions.count() + 1];
    for (int r : order) {
      sessionStart[assembler.session.get(r) + 1]++;
    }
    for (int s = 0; s + 1 < sessionStart.length; s++) {
      sessionStart[s + 1] += sessionStart[s];
    }
    int[] next = sessionStart.clone();
    int[] bySession = new int[order.length];
    for (int r : order) {
      bySession[next[assembler.session.get(r)]++] = r;
    }
    int[] byStart = StableOrder.of(tools.stream().mapToLong(Tool::start).toArray());
    for (int index : byStart) {
      join(tools.get(index), bySession, sessionStart);
    }
    names.forEach((request, list) -> assembler.tools.set(request, list.text()));
  }

  private void join(Tool tool, int[] bySession, int[] sessionStart) {
    int caller = -1;
    boolean ended = false;
    int session = assembler.sessions.find(tool.session());
    if (session >= 0) {
      int from = sessionStart[session];
      int low = from;
      int high = sessionStart[session + 1];
      while (low < high) {
        int middle = (low + high) >>> 1;
        boolean started = assembler.arrival.get(bySession[middle]) <= tool.start();
        low = started ? middle + 1 : low;
        high = started ? high : middle;
      }
      // Requests of a session rarely overlap: the one that had ended is the last or the one before.
      for (int i = low - 1; i >= Math.max(from, low - 8) && !ended; i--) {
        long end = ends.get(bySession[i]);
        ended = end != Trace.NO_TIME && end <= tool.start();
        caller = ended || caller < 0 ? bySession[i] : caller;
      }
    }
    if (caller < 0) {
      assembler.count("tools that no request of the trace called");
      return;
    }
    names.computeIfAbsent(caller, request -> new ToolNames()).add(tool.name());
  }
}

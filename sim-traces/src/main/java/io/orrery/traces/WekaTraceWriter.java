package io.orrery.traces;

import com.fasterxml.jackson.core.JsonGenerator;
import io.orrery.traces.columns.LongColumn;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes the session format of kv-cache-tester. Ids are global, since sessions may share blocks.
 * Times of sub-agents stand on their parent's clock; what waits for what is concluded by readers
 * from starts, durations and ends, which are chosen to lead to the same waits where they can.
 */
final class WekaTraceWriter implements TraceWriter {
  private static final long NANOS_PER_S = 1_000_000_000;
  private static final long NANOS_PER_MS = 1_000_000;

  @Override
  public TraceFormat format() {
    return TraceFormat.WEKA;
  }

  @Override
  public void write(Trace trace, Path file) throws IOException {
    LongColumn starts = StartTimes.of(trace);
    List<List<Integer>> children = childrenOf(trace);
    try (JsonLines lines = new JsonLines(file)) {
      for (int s = 0; s < trace.sessionCount(); s++) {
        if (trace.parentSession(s) < 0) {
          new Session(lines, trace, starts, children).write(s);
        }
      }
    }
  }

  private static List<List<Integer>> childrenOf(Trace trace) {
    List<List<Integer>> children = new ArrayList<>();
    for (int s = 0; s < trace.sessionCount(); s++) {
      children.add(new ArrayList<>());
    }
    for (int s = 0; s < trace.sessionCount(); s++) {
      if (trace.parentSession(s) >= 0) {
        children.get(trace.parentSession(s)).add(s);
      }
    }
    return children;
  }

  /** Writes one root session with all below it. */
  private static final class Session {
    private final JsonLines lines;
    private final JsonGenerator json;
    private final Trace trace;
    private final LongColumn starts;
    private final List<List<Integer>> children;

    Session(JsonLines lines, Trace trace, LongColumn starts, List<List<Integer>> children) {
      this.lines = lines;
      json = lines.json();
      this.trace = trace;
      this.starts = starts;
      this.children = children;
    }

    void write(int s) throws IOException {
      lines.begin();
      lines.text("id", trace.sessionId(s));
      json.writeNumberField("block_size", trace.blockSize());
      lines.text("hash_id_scope", "global");
      json.writeNumberField("tool_tokens", 0);
      json.writeNumberField("system_tokens", 0);
      entries(s);
      lines.end();
    }

    /** Requests by turn, each child before the first request that starts after it. */
    private void entries(int s) throws IOException {
      json.writeArrayFieldStart("requests");
      List<Integer> open = new ArrayList<>(children.get(s));
      for (int turn = 0; turn < trace.requestCount(s); turn++) {
        int r = trace.request(s, turn);
        for (int child : List.copyOf(open)) {
          if (turn > 0 && starts.get(trace.firstRequest(child)) < starts.get(r)) {
            child(s, child);
            open.remove(Integer.valueOf(child));
          }
        }
        request(r);
      }
      for (int child : open) {
        child(s, child);
      }
      json.writeEndArray();
    }

    private void request(int r) throws IOException {
      json.writeStartObject();
      lines.time("t", starts.get(r), NANOS_PER_S);
      lines.text("type", "n");
      lines.text("model", trace.model(r));
      json.writeNumberField("in", trace.inputTokens(r));
      json.writeNumberField("out", trace.outputTokens(r));
      if (JsonLines.hasBlocks(trace, r)) {
        lines.blocks("hash_ids", trace, r, false);
      }
      lines.text("stop", trace.recordedFinishReason(r));
      if (trace.recordedTotalNanos(r) != Trace.NO_TIME) {
        lines.time("api_time", trace.recordedTotalNanos(r), NANOS_PER_S);
      }
      long wait = MooncakeTraceWriter.waitAfterTurnBefore(trace, r);
      if (wait != Trace.NO_TIME) {
        lines.time("think_time", wait, NANOS_PER_S);
      }
      if (trace.recordedTtftNanos(r) != Trace.NO_TIME) {
        lines.time("ttft", trace.recordedTtftNanos(r), NANOS_PER_S);
      }
      json.writeEndObject();
    }

    private void child(int parent, int child) throws IOException {
      long start = starts.get(trace.firstRequest(child));
      long end = joinedEnd(parent, child);
      json.writeStartObject();
      lines.time("t", start, NANOS_PER_S);
      lines.text("type", "subagent");
      lines.text("agent_id", agentId(parent, child));
      if (end == Trace.NO_TIME) {
        json.writeNullField("duration_ms");
        lines.text("status", "async_launched");
      } else {
        lines.time("duration_ms", end - start, NANOS_PER_MS);
        lines.text("status", "completed");
      }
      entries(child);
      json.writeEndObject();
    }

    /** When the parent's waiting request knew that the child had ended; NO_TIME if none waits. */
    private long joinedEnd(int parent, int child) {
      int last = trace.request(child, trace.requestCount(child) - 1);
      for (int turn = 0; turn < trace.requestCount(parent); turn++) {
        int r = trace.request(parent, turn);
        for (int e = trace.edgeStart(r); e < trace.edgeEnd(r); e++) {
          if (trace.edgeFrom(e) == last && trace.edgeTrigger(e) == EdgeTrigger.COMPLETION) {
            return Math.max(starts.get(last), starts.get(r) - trace.edgeDelayNanos(e));
          }
        }
      }
      return Trace.NO_TIME;
    }

    private String agentId(int parent, int child) {
      String prefix = trace.sessionId(parent) + "/";
      String id = trace.sessionId(child);
      return id.startsWith(prefix) ? id.substring(prefix.length()) : id;
    }
  }
}

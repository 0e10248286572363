package io.orrery.traces;

import com.fasterxml.jackson.core.JsonGenerator;
import io.orrery.traces.columns.LongColumn;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Writes Dynamo request trace v1. What waits for what is not in the format: its readers conclude it
 * from starts and ends, so these are chosen to lead to the same waits where they can.
 */
final class DynamoTraceWriter implements TraceWriter {
  private static final long NANOS_PER_MS = 1_000_000;

  @Override
  public TraceFormat format() {
    return TraceFormat.DYNAMO;
  }

  @Override
  public void write(Trace trace, Path file) throws IOException {
    LongColumn starts = StartTimes.of(trace);
    LongColumn ends = ends(trace, starts);
    try (JsonLines lines = new JsonLines(file)) {
      for (int r = 0; r < trace.requestCount(); r++) {
        writeRecord(lines, trace, r, starts.get(r), ends.get(r));
      }
    }
  }

  /** An end for each request that the waits for its completion lead back to; else start + total. */
  private static LongColumn ends(Trace trace, LongColumn starts) {
    LongColumn ends = LongColumn.filled(starts.size(), Trace.NO_TIME);
    for (int r = 0; r < starts.size(); r++) {
      for (int e = trace.edgeStart(r); e < trace.edgeEnd(r); e++) {
        int from = trace.edgeFrom(e);
        boolean first =
            trace.edgeTrigger(e) == EdgeTrigger.COMPLETION && ends.get(from) == Trace.NO_TIME;
        if (first && !hasDispatchEdge(trace, r)) {
          ends.set(from, Math.max(starts.get(from), starts.get(r) - trace.edgeDelayNanos(e)));
        }
      }
    }
    for (int r = 0; r < ends.size(); r++) {
      long total = trace.recordedTotalNanos(r);
      if (total != Trace.NO_TIME
          && (ends.get(r) == Trace.NO_TIME || ends.get(r) == starts.get(r))) {
        ends.set(r, starts.get(r) + total);
      }
    }
    return ends;
  }

  private static boolean hasDispatchEdge(Trace trace, int r) {
    for (int e = trace.edgeStart(r); e < trace.edgeEnd(r); e++) {
      if (trace.edgeTrigger(e) == EdgeTrigger.DISPATCH) {
        return true;
      }
    }
    return false;
  }

  private static void writeRecord(JsonLines lines, Trace trace, int r, long start, long end)
      throws IOException {
    JsonGenerator json = lines.json();
    lines.begin();
    lines.text("schema", "dynamo.request.trace.v1");
    lines.text("event_type", "request_end");
    if (end != Trace.NO_TIME) {
      lines.time("event_time_unix_ms", end, NANOS_PER_MS);
    }
    lines.text("event_source", "dynamo");
    int session = trace.session(r);
    int parent = trace.parentSession(session);
    if (trace.requestCount(session) > 1 || JsonLines.hasGivenId(trace, session) || parent >= 0) {
      json.writeObjectFieldStart("agent_context");
      lines.text("session_id", trace.sessionId(session));
      lines.text("parent_session_id", parent < 0 ? null : trace.sessionId(parent));
      json.writeEndObject();
    }
    json.writeObjectFieldStart("request");
    lines.text("request_id", JsonLines.givenId(trace, r));
    lines.text("model", trace.model(r));
    json.writeNumberField("input_tokens", trace.inputTokens(r));
    json.writeNumberField("output_tokens", trace.outputTokens(r));
    if (trace.recordedCachedTokens(r) >= 0) {
      json.writeNumberField("cached_tokens", trace.recordedCachedTokens(r));
    }
    lines.time("request_received_ms", start, NANOS_PER_MS);
    if (trace.recordedTtftNanos(r) != Trace.NO_TIME) {
      lines.time("ttft_ms", trace.recordedTtftNanos(r), NANOS_PER_MS);
    }
    if (trace.recordedTotalNanos(r) != Trace.NO_TIME) {
      lines.time("total_time_ms", trace.recordedTotalNanos(r), NANOS_PER_MS);
    }
    writeFacts(lines, trace, r);
    writeReplay(lines, trace, r);
    json.writeEndObject();
    lines.end();
  }

  private static void writeFacts(JsonLines lines, Trace trace, int r) throws IOException {
    JsonGenerator json = lines.json();
    String worker = trace.recordedWorker(r);
    if (worker != null) {
      int arrow = worker.indexOf('>');
      json.writeObjectFieldStart("worker");
      lines.text("prefill_worker_id", arrow < 0 ? worker : worker.substring(0, arrow));
      lines.text("decode_worker_id", worker.substring(arrow + 1));
      json.writeEndObject();
    }
    String tools = trace.recordedTools(r);
    if (trace.recordedFinishReason(r) != null || tools != null) {
      json.writeObjectFieldStart("finish_reason_metadata");
      lines.text("finish_reason", trace.recordedFinishReason(r));
      if (tools != null) {
        json.writeArrayFieldStart("tool_calls");
        for (String tool : tools.split(",", -1)) {
          json.writeStartObject();
          lines.text("name", tool);
          json.writeEndObject();
        }
        json.writeEndArray();
      }
      json.writeEndObject();
    }
  }

  private static void writeReplay(JsonLines lines, Trace trace, int r) throws IOException {
    JsonGenerator json = lines.json();
    json.writeObjectFieldStart("replay");
    json.writeNumberField("trace_block_size", trace.blockSize());
    json.writeNumberField("input_length", trace.inputTokens(r));
    lines.blocks("input_sequence_hashes", trace, r, false);
    int full = trace.inputTokens(r) / trace.blockSize();
    int most = (trace.inputTokens(r) + trace.outputTokens(r)) / trace.blockSize();
    if (trace.identifiedBlocks(r) == full && trace.namedBlocks(r) > full) {
      json.writeArrayFieldStart("completion_sequence_hashes");
      writeLeading(lines, trace, r, Math.min(most, trace.namedBlocks(r)));
      json.writeEndArray();
    }
    json.writeEndObject();
  }

  /** The first blocks of prompt and output. */
  private static void writeLeading(JsonLines lines, Trace trace, int r, int blocks)
      throws IOException {
    int left = blocks;
    for (int run = trace.runStart(r); run < trace.runEnd(r) && left > 0; run++) {
      for (int i = 0; i < trace.runLength(run) && left > 0; i++, left--) {
        lines.json().writeNumber(trace.runFirst(run) + i);
      }
    }
  }
}

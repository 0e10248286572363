package io.orrery.traces;

import com.fasterxml.jackson.core.JsonGenerator;
import io.orrery.traces.columns.LongColumn;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;

/**
 * Writes Agentic Mooncake, version 2: what waits for what, as it is. Hashes belong to a play there:
 * sessions with a clock in common are one play, so that they share blocks; without one each root
 * session is a play of its own, which begins at 0.
 *
 * @see AgenticMooncakeReader
 */
final class AgenticMooncakeTraceWriter implements TraceWriter {
  /** The play of all sessions that share a clock. */
  private static final String ONE_PLAY = "trace";

  @Override
  public TraceFormat format() {
    return TraceFormat.AGENTIC_MOONCAKE;
  }

  @Override
  public void write(Trace trace, Path file) throws IOException {
    LongColumn starts = StartTimes.of(trace);
    int[] plays = plays(trace);
    boolean tails = PartialBlocks.needNames(trace);
    try (JsonLines lines = new JsonLines(file)) {
      writeHeader(lines, trace);
      for (int r = 0; r < trace.requestCount(); r++) {
        writeRow(lines, trace, r, starts.get(r), plays[trace.session(r)], tails);
      }
    }
  }

  /** For each session the number of its root among the roots. */
  private static int[] plays(Trace trace) {
    int[] plays = new int[trace.sessionCount()];
    int roots = 0;
    for (int s = 0; s < plays.length; s++) {
      if (trace.parentSession(s) < 0) {
        plays[s] = trace.sharedClock() ? 0 : roots++;
      }
    }
    for (int s = 0; s < plays.length; s++) {
      plays[s] = plays[trace.rootSession(s)];
    }
    return plays;
  }

  private static void writeHeader(JsonLines lines, Trace trace) throws IOException {
    JsonGenerator json = lines.json();
    lines.begin();
    lines.text("schema", AgenticMooncakeReader.SCHEMA);
    json.writeNumberField("version", 2);
    json.writeNumberField("block_size", trace.blockSize());
    lines.text("hash_id_scope", "local");
    json.writeObjectFieldStart("source");
    lines.text("format", trace.provenance().format());
    lines.text("digest", trace.digest());
    json.writeEndObject();
    lines.end();
  }

  private static void writeRow(
      JsonLines lines, Trace trace, int r, long start, int play, boolean tails) throws IOException {
    JsonGenerator json = lines.json();
    int session = trace.session(r);
    lines.begin();
    lines.text("request_id", trace.requestId(r));
    lines.text(
        "play_id", trace.sharedClock() ? ONE_PLAY : trace.sessionId(trace.rootSession(session)));
    json.writeNumberField("source_play_ordinal", play);
    lines.text("session_id", trace.sessionId(session));
    lines.text("model", Objects.requireNonNullElse(trace.model(r), AgenticMooncakeReader.NO_MODEL));
    json.writeNumberField("input_length", trace.inputTokens(r));
    json.writeNumberField("output_length", trace.outputTokens(r));
    if (JsonLines.hasBlocks(trace, r)) {
      lines.blocks("hash_ids", trace, r, tails);
    }
    lines.time("not_before_ms", start, MooncakeRow.NANOS_PER_MS);
    if (trace.recordedTotalNanos(r) != Trace.NO_TIME) {
      lines.time("recorded_api_time_ms", trace.recordedTotalNanos(r), MooncakeRow.NANOS_PER_MS);
    }
    if (trace.priority(r) != 0) {
      json.writeNumberField("priority", trace.priority(r));
    }
    if (trace.edgeEnd(r) > trace.edgeStart(r)) {
      writeDependencies(lines, trace, r);
    }
    lines.end();
  }

  private static void writeDependencies(JsonLines lines, Trace trace, int r) throws IOException {
    JsonGenerator json = lines.json();
    json.writeArrayFieldStart("dependencies");
    for (int e = trace.edgeStart(r); e < trace.edgeEnd(r); e++) {
      json.writeStartObject();
      lines.text("request_id", trace.requestId(trace.edgeFrom(e)));
      lines.text(
          "trigger", trace.edgeTrigger(e) == EdgeTrigger.DISPATCH ? "dispatch" : "completion");
      lines.time("delay_ms", trace.edgeDelayNanos(e), MooncakeRow.NANOS_PER_MS);
      lines.text("relation", relation(trace, r, trace.edgeFrom(e)));
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static String relation(Trace trace, int r, int from) {
    if (trace.session(from) == trace.session(r)) {
      return "sequence";
    }
    boolean spawned = trace.turn(r) == 0;
    return spawned && trace.parentSession(trace.session(r)) == trace.session(from)
        ? "spawn"
        : "join";
  }
}

package io.orrery.traces;

import io.orrery.traces.columns.LongColumn;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Writes Mooncake rows: starts, turns with their waits, lengths and blocks. Parents, waits of
 * another kind and recorded facts are lost.
 */
final class MooncakeTraceWriter implements TraceWriter {
  @Override
  public TraceFormat format() {
    return TraceFormat.MOONCAKE;
  }

  @Override
  public void write(Trace trace, Path file) throws IOException {
    LongColumn starts = StartTimes.of(trace);
    boolean tails = PartialBlocks.needNames(trace);
    try (JsonLines lines = new JsonLines(file)) {
      for (int r = 0; r < trace.requestCount(); r++) {
        writeRow(lines, trace, r, starts.get(r), tails);
      }
    }
  }

  private static void writeRow(JsonLines lines, Trace trace, int r, long start, boolean tails)
      throws IOException {
    int session = trace.session(r);
    lines.begin();
    if (trace.requestCount(session) > 1 || JsonLines.hasGivenId(trace, session)) {
      lines.text("session_id", trace.sessionId(session));
    }
    lines.text("request_id", JsonLines.givenId(trace, r));
    long wait = waitAfterTurnBefore(trace, r);
    if (trace.turn(r) == 0 || wait == Trace.NO_TIME || trace.arrivalNanos(r) != Trace.NO_TIME) {
      lines.time("timestamp", start, MooncakeRow.NANOS_PER_MS);
    }
    if (wait != Trace.NO_TIME) {
      lines.time("delay", wait, MooncakeRow.NANOS_PER_MS);
    }
    lines.json().writeNumberField("input_length", trace.inputTokens(r));
    lines.json().writeNumberField("output_length", trace.outputTokens(r));
    if (trace.priority(r) != 0) {
      lines.json().writeNumberField("priority", trace.priority(r));
    }
    if (JsonLines.hasBlocks(trace, r)) {
      lines.blocks("hash_ids", trace, r, tails);
    }
    lines.end();
  }

  /** The wait of a request that waits for the completion of the turn before it only. */
  static long waitAfterTurnBefore(Trace trace, int r) {
    if (trace.turn(r) == 0 || trace.edgeEnd(r) - trace.edgeStart(r) != 1) {
      return Trace.NO_TIME;
    }
    int edge = trace.edgeStart(r);
    boolean before = trace.edgeFrom(edge) == trace.request(trace.session(r), trace.turn(r) - 1);
    return before && trace.edgeTrigger(edge) == EdgeTrigger.COMPLETION
        ? trace.edgeDelayNanos(edge)
        : Trace.NO_TIME;
  }
}

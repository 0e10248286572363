package io.orrery.traces;

import com.fasterxml.jackson.core.JsonToken;

/**
 * AIPerf's per-request export ({@code profile_export.jsonl}): {@code metadata} with times in ns
 * since 1970 and {@code metrics} as values with units. Rows stand in the order of their ends.
 *
 * @see <a href="https://github.com/ai-dynamo/aiperf">AIPerf, working with profile exports</a>
 */
final class AiperfRecordsReader implements TraceReader {
  static final Description DESCRIPTION =
      Description.withoutBlocks(
          "ns since 1970; metrics in ms",
          "the earliest start is 0",
          "rows with one x_correlation_id (else conversation_id) by start, each after the turn before"
              + " it plus the recorded gap");

  private static final long NANOS_PER_MS = 1_000_000;

  private final TraceAssembler assembler;
  private final DraftedRequests requests;
  private final RequestDraft draft = new RequestDraft();
  private String phase = "";
  private boolean cancelled;
  private boolean failed;

  AiperfRecordsReader(TraceAssembler assembler, TraceOptions options) {
    this.assembler = assembler;
    requests = DraftedRequests.withoutBlocks(assembler, options);
  }

  static boolean recognises(FirstObject object) {
    return object.holdsObject("metadata") && object.has("metrics");
  }

  @Override
  public void read(JsonRows rows) {
    while (rows.nextRow()) {
      draft.clear();
      phase = "";
      cancelled = false;
      failed = false;
      for (String field; (field = rows.nextField()) != null; ) {
        switch (field) {
          case "metadata" -> readMetadata(rows, field);
          case "metrics" -> readMetrics(rows, field);
          case "error" -> {
            failed = rows.beginValue() != JsonToken.VALUE_NULL;
            rows.skipElement();
          }
          default -> rows.skip();
        }
      }
      add(rows);
    }
  }

  private void add(JsonRows rows) {
    boolean lengths = draft.input != RequestDraft.NONE && draft.output != RequestDraft.NONE;
    if (phase.equals("warmup")) {
      assembler.countNote("warm-up requests, left out");
    } else if ((failed || cancelled) && !lengths) {
      assembler.count("failed or cancelled requests without token counts, left out");
    } else {
      requests.add(
          rows, draft, "input_sequence_length", "output_sequence_length", "request_start_ns");
      if (failed || cancelled) {
        assembler.count("failed or cancelled requests, replayed with the tokens they got");
      }
    }
  }

  private void readMetadata(JsonRows rows, String field) {
    if (!rows.enter(field, JsonToken.START_OBJECT)) {
      return;
    }
    String conversation = null;
    for (String key; (key = rows.nextField()) != null; ) {
      switch (key) {
        case "x_request_id" -> draft.request = rows.idOrNull(key);
        case "x_correlation_id" -> draft.session = rows.idOrNull(key);
        case "conversation_id" -> conversation = rows.idOrNull(key);
        case "request_start_ns" -> draft.arrival = rows.nanosOrNone(key, 1, "ns");
        case "request_end_ns" -> draft.end = rows.nanosOrNone(key, 1, "ns");
        case "worker_id" -> rows.skip();
        case "was_cancelled" -> cancelled = "true".equals(rows.scalarOrNull(key));
        case "benchmark_phase" -> {
          String text = rows.textOrNull(key);
          phase = text == null ? "" : text;
        }
        default -> rows.skip();
      }
    }
    if (draft.session == null) {
      draft.session = conversation;
    }
  }

  private void readMetrics(JsonRows rows, String field) {
    if (!rows.enter(field, JsonToken.START_OBJECT)) {
      return;
    }
    int answer = RequestDraft.NONE;
    for (String key; (key = rows.nextField()) != null; ) {
      switch (key) {
        case "input_sequence_length" -> draft.input = (int) value(rows, key, 1);
        case "output_sequence_length" -> draft.output = (int) value(rows, key, 0);
        case "output_token_count" -> answer = (int) value(rows, key, 0);
        case "time_to_first_token" -> draft.ttft = time(rows, key);
        case "request_latency" -> draft.total = time(rows, key);
        case "usage_prompt_cache_read_tokens" -> draft.cached = (int) value(rows, key, 0);
        default -> rows.skip();
      }
    }
    if (draft.output == RequestDraft.NONE) {
      draft.output = answer;
    }
  }

  /** The member {@code value} of a metric, a number of tokens. */
  private static long value(JsonRows rows, String field, long least) {
    long value = RequestDraft.NONE;
    if (rows.enter(field, JsonToken.START_OBJECT)) {
      for (String key; (key = rows.nextField()) != null; ) {
        if (key.equals("value")) {
          value = rows.wholeOr(field, least, TraceAssembler.MAX_TOKENS, RequestDraft.NONE);
        } else {
          rows.skip();
        }
      }
    }
    return value;
  }

  /** The member {@code value} of a metric in ms. */
  private static long time(JsonRows rows, String field) {
    long value = Trace.NO_TIME;
    if (rows.enter(field, JsonToken.START_OBJECT)) {
      for (String key; (key = rows.nextField()) != null; ) {
        if (key.equals("value")) {
          value = rows.nanosOrNone(field, NANOS_PER_MS, "ms");
        } else if (key.equals("unit")) {
          String unit = rows.textOrNull(key);
          if (unit != null && !unit.equals("ms")) {
            throw rows.wrong(field, "the unit \"" + unit + '"', "ms");
          }
        } else {
          rows.skip();
        }
      }
    }
    return value;
  }

  @Override
  public void finish() {
    requests.finish();
  }
}

package io.orrery.traces;

import org.jspecify.annotations.Nullable;

/** The fields that all relatives of Mooncake share, of one row. */
final class MooncakeRow {
  static final long NANOS_PER_MS = 1_000_000;

  private static final int TIMESTAMP = 1;
  private static final int CREATED = 1 << 1;
  private static final int INPUT = 1 << 2;
  private static final int OUTPUT = 1 << 3;
  private static final int HASHES = 1 << 4;
  private static final int REQUEST = 1 << 5;
  private static final int SESSION = 1 << 6;
  private static final int DELAY = 1 << 7;
  private static final int PRIORITY = 1 << 8;

  private int seen;
  private long timestamp;
  private long created;
  long delay;
  int input;
  int output;
  int priority;
  boolean hasHashes;
  @Nullable String request;
  @Nullable String session;
  final HashRuns hashes = new HashRuns();

  /** Reads the rest of the current row, other fields skipped. */
  void read(JsonRows rows) {
    clear();
    for (String field; (field = rows.nextField()) != null; ) {
      if (!read(rows, field)) {
        rows.skip();
      }
    }
    require(rows);
  }

  void clear() {
    seen = 0;
    timestamp = Trace.NO_TIME;
    created = Trace.NO_TIME;
    delay = Trace.NO_TIME;
    priority = 0;
    hasHashes = false;
    request = null;
    session = null;
    hashes.clear();
  }

  /** Refuses a row without lengths. */
  void require(JsonRows rows) {
    DraftedRequests.require(rows, (seen & INPUT) != 0, "input_length");
    DraftedRequests.require(rows, (seen & OUTPUT) != 0, "output_length");
  }

  /** Recorded start in ns, or NO_TIME. */
  long stamp() {
    return timestamp != Trace.NO_TIME ? timestamp : created;
  }

  /** Reads the field's value if it is one of these. */
  boolean read(JsonRows rows, String field) {
    switch (field) {
      case "timestamp" -> {
        seen = rows.once(seen, TIMESTAMP, field);
        timestamp = rows.nanosOrNone(field, NANOS_PER_MS, "ms");
      }
      case "created_time" -> {
        seen = rows.once(seen, CREATED, field);
        created = rows.nanosOrNone(field, NANOS_PER_MS, "ms");
      }
      case "input_length", "input_tokens" -> {
        seen = rows.once(seen, INPUT, field);
        input = (int) rows.whole(field, 1, TraceAssembler.MAX_TOKENS);
      }
      case "output_length", "output_tokens" -> {
        seen = rows.once(seen, OUTPUT, field);
        output = (int) rows.whole(field, 0, TraceAssembler.MAX_TOKENS);
      }
      case "hash_ids" -> {
        seen = rows.once(seen, HASHES, field);
        hasHashes = rows.hashes(field, hashes);
      }
      case "request_id" -> {
        seen = rows.once(seen, REQUEST, field);
        request = rows.id(field);
      }
      case "session_id" -> {
        seen = rows.once(seen, SESSION, field);
        session = rows.id(field);
      }
      case "delay", "delay_ms" -> {
        seen = rows.once(seen, DELAY, field);
        delay = rows.nanosOrNone(field, NANOS_PER_MS, "ms");
      }
      case "priority" -> {
        seen = rows.once(seen, PRIORITY, field);
        priority = (int) rows.wholeOr(field, Integer.MIN_VALUE, Integer.MAX_VALUE, 0);
      }
      default -> {
        return false;
      }
    }
    return true;
  }
}

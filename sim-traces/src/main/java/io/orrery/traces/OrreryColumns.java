package io.orrery.traces;

import java.util.List;

/**
 * Orrery's own trace format: a Parquet file with one row per request, in the order of the trace.
 * Lists describe the row's request; a text or number without a value is not known.
 *
 * <p>Key-value metadata: {@link #VERSION_KEY}, {@link #BLOCK_SIZE_KEY}, {@link #BLOCK_COUNT_KEY},
 * {@link #SHARED_CLOCK_KEY}, {@link #BLOCKS_KNOWN_KEY} and {@link #PROVENANCE_KEY} (JSON: where the
 * trace comes from). A reader refuses versions that it does not know; a column may be added within
 * a version where its absence means that nothing is known.
 */
final class OrreryColumns {
  static final int VERSION = 1;
  static final String VERSION_KEY = "orrery.trace.version";
  static final String BLOCK_SIZE_KEY = "orrery.trace.block_size";
  static final String BLOCK_COUNT_KEY = "orrery.trace.block_count";
  static final String SHARED_CLOCK_KEY = "orrery.trace.shared_clock";
  static final String BLOCKS_KNOWN_KEY = "orrery.trace.blocks_known";
  static final String PROVENANCE_KEY = "orrery.trace.provenance";

  static final String REQUEST_ID = "request_id";
  static final String SESSION = "session";
  static final String SESSION_ID = "session_id";
  static final String PARENT = "parent_session";
  static final String ARRIVAL = "arrival_nanos";
  static final String INPUT = "input_tokens";
  static final String OUTPUT = "output_tokens";
  static final String PRIORITY = "priority";
  static final String IDENTIFIED = "prompt_blocks";
  static final String PROMPT_RUNS = "prompt_runs";
  static final String RUN_FIRST = "run_first";
  static final String RUN_LENGTH = "run_length";
  static final String PARTIAL = "partial_block";
  static final String WAIT_FOR = "wait_for";
  static final String WAIT_TRIGGER = "wait_trigger";
  static final String WAIT_NANOS = "wait_nanos";
  static final String TTFT = "ttft_nanos";
  static final String TOTAL = "total_nanos";
  static final String CACHED = "cached_tokens";
  static final String MODEL = "model";
  static final String ADAPTER = "adapter";
  static final String WORKER = "worker";
  static final String FINISH = "finish_reason";
  static final String TOOLS = "tools";

  /** One column of the format. */
  record Documented(String name, String type, String meaning) {}

  /** All columns, for the format's reference. */
  static final List<Documented> ALL =
      List.of(
          new Documented(REQUEST_ID, "text?", "the request's id in its source"),
          new Documented(
              SESSION, "int", "number of its session, from 0 in the order of their first rows"),
          new Documented(
              SESSION_ID, "text?", "in the first row of a session: the session's id in its source"),
          new Documented(
              PARENT,
              "int?",
              "in the first row of a session: number of the session that started it"),
          new Documented(
              ARRIVAL,
              "long?",
              "recorded start in ns from the origin (the trace's, or the root session's)"),
          new Documented(INPUT, "int", "prompt tokens, at least 1"),
          new Documented(OUTPUT, "int", "generated tokens, at least 1"),
          new Documented(PRIORITY, "int", "priority, 0 where none was recorded"),
          new Documented(IDENTIFIED, "int", "full prompt blocks with an identity"),
          new Documented(PROMPT_RUNS, "int", "how many of the runs are the prompt's"),
          new Documented(
              RUN_FIRST,
              "list of int",
              "first block of each run, the prompt's and then those of named completion blocks"),
          new Documented(RUN_LENGTH, "list of int", "consecutive blocks in each run"),
          new Documented(PARTIAL, "int?", "block name of the trailing partial block"),
          new Documented(WAIT_FOR, "list of int", "rows of the requests that it waits for"),
          new Documented(
              WAIT_TRIGGER, "list of int", "0 for their completion, 1 for their dispatch"),
          new Documented(WAIT_NANOS, "list of long", "ns from there to its start"),
          new Documented(TTFT, "long?", "recorded time to first token, ns"),
          new Documented(TOTAL, "long?", "recorded time from start to last token, ns"),
          new Documented(CACHED, "int?", "recorded prompt tokens that came from a cache"),
          new Documented(MODEL, "text?", "model that was asked for"),
          new Documented(ADAPTER, "text?", "adapter that was asked for"),
          new Documented(WORKER, "text?", "worker that served it, PREFILL>DECODE for two"),
          new Documented(FINISH, "text?", "why the output ended"),
          new Documented(TOOLS, "text?", "tools that the output called, by commas"));

  private OrreryColumns() {}
}

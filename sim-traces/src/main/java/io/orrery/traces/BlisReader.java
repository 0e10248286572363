package io.orrery.traces;

import io.orrery.traces.columns.LongColumn;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * BLIS TraceV2 and V3: a table with times in µs, 0 for unknown ones. {@code input_tokens} come on
 * top of {@code prefix_length} tokens that a prefix group shares, and where the header says {@code
 * session_context_growth: accumulate}, on top of the session's context before.
 *
 * @see <a href="https://github.com/inference-sim/inference-sim">BLIS</a>
 */
final class BlisReader implements TraceReader {
  static final Description DESCRIPTION =
      new Description(
          "16, or as asked for: blocks are cut from prefix_length and, with"
              + " session_context_growth: accumulate, from the growing prompt; else none: hit rates"
              + " are unknown",
          "µs",
          "only full blocks have an identity",
          "the earliest send_time_us (else arrival_time_us) is 0",
          "rows with one session id by time, each after the completion of the one before it plus"
              + " think_time_us, else the recorded gap");

  private static final long NANOS_PER_US = 1_000;

  private final TraceAssembler assembler;
  private final DraftedRequests requests;
  private final GrownPrompts prompts;
  private final List<Row> held = new ArrayList<>();

  /** Tokens of each request's prompt and output, as recorded. */
  private final LongColumn contexts = new LongColumn();

  private boolean accumulates;

  /** A row, held back until all are there to be sorted. */
  private static final class Row {
    final RequestDraft draft = new RequestDraft();
    int line;
    int file;
    long arrival = Trace.NO_TIME;
    long sent = Trace.NO_TIME;
    long firstChunk = Trace.NO_TIME;
    long lastChunk = Trace.NO_TIME;
    int prefix;
    int serverInput;
    long round = RequestDraft.NONE;
    @Nullable String group;
    @Nullable String status;
  }

  BlisReader(TraceAssembler assembler, TraceOptions options) {
    this.assembler = assembler;
    requests = new DraftedRequests(assembler);
    prompts = new GrownPrompts(assembler, options);
  }

  static boolean recognises(FirstObject object) {
    return object.hasAll("input_tokens", "output_tokens", "arrival_time_us");
  }

  /** Takes what the header beside the table says. */
  void header(Map<String, String> header) {
    accumulates = "accumulate".equals(header.get("session_context_growth"));
    if (accumulates) {
      assembler.note(
          "The header says session_context_growth: accumulate, so prompts are summed up over a"
              + " session, outputs included.");
    }
    String warmUps = header.getOrDefault("warm_up_requests", "0");
    if (!warmUps.equals("0")) {
      assembler.note(
          "The header says warm_up_requests: " + warmUps + "; they are replayed like the others.");
    }
  }

  @Override
  public void read(JsonRows rows) {
    while (rows.nextRow()) {
      Row row = new Row();
      for (String field; (field = rows.nextField()) != null; ) {
        readField(rows, row, field);
      }
      hold(rows, row);
    }
  }

  private static void readField(JsonRows rows, Row row, String field) {
    switch (field) {
      case "request_id" -> row.draft.request = rows.idOrNull(field);
      case "session_id" -> row.draft.session = rows.idOrNull(field);
      case "round_index" ->
          row.round = rows.wholeOr(field, 0, Integer.MAX_VALUE, RequestDraft.NONE);
      case "model" -> row.draft.model = rows.textOrNull(field);
      case "adapter" -> row.draft.adapter = rows.textOrNull(field);
      case "priority" ->
          row.draft.priority = (int) rows.wholeOr(field, Integer.MIN_VALUE, Integer.MAX_VALUE, 0);
      case "finish_reason" -> row.draft.finishReason = rows.textOrNull(field);
      case "status" -> row.status = rows.textOrNull(field);
      case "prefix_group" -> row.group = rows.idOrNull(field);
      case "prefix_length" ->
          row.prefix = (int) rows.wholeOr(field, 0, TraceAssembler.MAX_TOKENS, 0);
      case "input_tokens" ->
          row.draft.input =
              (int) rows.wholeOr(field, 0, TraceAssembler.MAX_TOKENS, RequestDraft.NONE);
      case "server_input_tokens" ->
          row.serverInput = (int) rows.wholeOr(field, 0, TraceAssembler.MAX_TOKENS, 0);
      case "output_tokens" -> row.draft.output = DraftedRequests.output(rows, field);
      case "arrival_time_us" -> row.arrival = rows.nanosOrNone(field, NANOS_PER_US, "µs");
      case "send_time_us" -> row.sent = rows.nanosOrNone(field, NANOS_PER_US, "µs");
      case "first_chunk_time_us" -> row.firstChunk = rows.nanosOrNone(field, NANOS_PER_US, "µs");
      case "last_chunk_time_us" -> row.lastChunk = rows.nanosOrNone(field, NANOS_PER_US, "µs");
      case "think_time_us" -> row.draft.wait = rows.nanosOrNone(field, NANOS_PER_US, "µs");
      default -> rows.skip();
    }
  }

  private void hold(JsonRows rows, Row row) {
    RequestDraft draft = row.draft;
    DraftedRequests.require(rows, draft.input != RequestDraft.NONE, "input_tokens");
    DraftedRequests.require(rows, draft.output != RequestDraft.NONE, "output_tokens");
    DraftedRequests.require(rows, row.arrival != Trace.NO_TIME, "arrival_time_us");
    draft.arrival = row.sent > 0 ? row.sent : row.arrival;
    if (row.group == null) {
      row.prefix = 0;
      draft.input = row.serverInput > 0 && !accumulates ? row.serverInput : draft.input;
    }
    long input = (long) draft.input + row.prefix;
    boolean mayAddNothing = accumulates && draft.session != null && row.round != 0;
    if (input < (mayAddNothing ? 0 : 1) || input > TraceAssembler.MAX_TOKENS) {
      throw rows.wrong(
          "input_tokens",
          input + " tokens with prefix_length",
          "1 to " + TraceAssembler.MAX_TOKENS + " tokens");
    }
    draft.input = (int) input;
    if (row.firstChunk > draft.arrival) {
      draft.ttft = row.firstChunk - draft.arrival;
    }
    if (row.lastChunk > draft.arrival) {
      draft.total = row.lastChunk - draft.arrival;
      draft.end = row.lastChunk;
    }
    row.line = rows.rowLine();
    row.file = assembler.lastFile();
    held.add(row);
  }

  @Override
  public int held() {
    return held.size();
  }

  @Override
  public void finish() {
    long[] starts = held.stream().mapToLong(row -> row.draft.arrival).toArray();
    Map<String, Integer> last = new HashMap<>();
    Map<String, Long> lastRound = new HashMap<>();
    for (int index : StableOrder.of(starts)) {
      Row row = held.get(index);
      String session = row.draft.session;
      Integer before = session == null ? null : last.get(session);
      open(row, accumulates && before != null ? before : -1);
      if (session != null) {
        last.put(session, assembler.requestCount() - 1);
        Long roundBefore = lastRound.put(session, row.round);
        if (roundBefore != null && row.round <= roundBefore && row.round != RequestDraft.NONE) {
          assembler.countAt(
              "rounds that started before one with a lower round_index; by their starts",
              assembler.fileName(row.file),
              row.line);
        }
      }
      if (row.status != null && !row.status.isEmpty() && !row.status.equals("ok")) {
        assembler.count("requests that failed when they were recorded, replayed");
      }
    }
    requests.finish();
  }

  private void open(Row row, int before) {
    long context = 0;
    if (before >= 0) {
      context = contexts.get(before);
      row.draft.input = summedUp(row, context + row.draft.input - row.prefix);
    } else {
      summedUp(row, row.draft.input);
    }
    int r = requests.add(row.line, row.file, row.draft);
    contexts.add((long) row.draft.input + row.draft.output);
    String group = row.group;
    if (before >= 0) {
      prompts.add(r, before, context);
    } else if (group != null && row.prefix > 0) {
      prompts.addOfGroup(r, group, row.prefix);
    } else if (accumulates) {
      prompts.add(r, -1, 0);
    } else {
      assembler.count(TraceFindings.NO_HASHES);
    }
  }

  private int summedUp(Row row, long input) {
    if (input < 1 || input > TraceAssembler.MAX_TOKENS) {
      throw new TraceException(
          assembler.fileName(row.file),
          row.line,
          "input_tokens",
          input + " tokens with all rounds before it",
          "1 to " + TraceAssembler.MAX_TOKENS + " tokens");
    }
    return (int) input;
  }
}

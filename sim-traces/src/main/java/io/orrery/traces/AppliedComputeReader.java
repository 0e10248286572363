package io.orrery.traces;

import com.fasterxml.jackson.core.JsonToken;
import io.orrery.traces.columns.LongColumn;
import org.jspecify.annotations.Nullable;

/**
 * Applied Compute's agent rollouts: one row per session, {@code {"num_turns": 2,
 * "input_prompt_length": 8000, "assistant_response_length": [200, 90], "tool_call_output_length":
 * [600, 40], "tool_call_latency": [1.2, 0.4], "final_assistant_response_length": 150}}. A row with
 * n turns is n + 1 requests.
 */
final class AppliedComputeReader implements TraceReader {
  static final Description DESCRIPTION =
      new Description(
          "16, or as asked for: blocks are cut from the growing prompt",
          "s",
          "only full blocks have an identity",
          "each session starts at 0; sessions have no clock in common",
          "each prompt is the one before it, its output and the tool's; it starts the tool's latency"
              + " after the completion of the request before it");

  private static final long NANOS_PER_S = 1_000_000_000;

  private final TraceAssembler assembler;
  private final GrownPrompts prompts;
  private final LongColumn responses = new LongColumn();
  private final LongColumn toolOutputs = new LongColumn();
  private final LongColumn latencies = new LongColumn();

  AppliedComputeReader(TraceAssembler assembler, TraceOptions options) {
    this.assembler = assembler;
    prompts = new GrownPrompts(assembler, options);
    assembler.sharedClock(false);
  }

  static boolean recognises(FirstObject object) {
    return object.hasAll("num_turns", "input_prompt_length");
  }

  @Override
  public void read(JsonRows rows) {
    while (rows.nextRow()) {
      responses.clear();
      toolOutputs.clear();
      latencies.clear();
      long turns = RequestDraft.NONE;
      int input = RequestDraft.NONE;
      int last = RequestDraft.NONE;
      String id = null;
      for (String field; (field = rows.nextField()) != null; ) {
        switch (field) {
          case "id", "session_id" -> id = rows.idOrNull(field);
          case "num_turns" -> turns = rows.whole(field, 0, TraceAssembler.MAX_TOKENS);
          case "input_prompt_length" -> input = DraftedRequests.input(rows, field);
          case "assistant_response_length" -> readLengths(rows, field, responses);
          case "tool_call_output_length" -> readLengths(rows, field, toolOutputs);
          case "tool_call_latency" -> readLatencies(rows, field);
          case "final_assistant_response_length" -> last = DraftedRequests.output(rows, field);
          default -> rows.skip();
        }
      }
      check(rows, turns, input, last);
      add(rows, id, input, last);
    }
  }

  private static void readLengths(JsonRows rows, String field, LongColumn into) {
    if (rows.enter(field, JsonToken.START_ARRAY)) {
      while (rows.nextElement() != null) {
        into.add(rows.elementWhole(field, 0, TraceAssembler.MAX_TOKENS));
      }
    }
  }

  private void readLatencies(JsonRows rows, String field) {
    if (rows.enter(field, JsonToken.START_ARRAY)) {
      while (rows.nextElement() != null) {
        latencies.add(rows.elementNanos(field, NANOS_PER_S, "s"));
      }
    }
  }

  private void check(JsonRows rows, long turns, int input, int last) {
    DraftedRequests.require(rows, turns != RequestDraft.NONE, "num_turns");
    DraftedRequests.require(rows, input != RequestDraft.NONE, "input_prompt_length");
    DraftedRequests.require(rows, last != RequestDraft.NONE, "final_assistant_response_length");
    checkLength(rows, "assistant_response_length", responses, turns);
    checkLength(rows, "tool_call_output_length", toolOutputs, turns);
    checkLength(rows, "tool_call_latency", latencies, turns);
    long total = input;
    for (int i = 0; i < turns; i++) {
      total += responses.get(i) + toolOutputs.get(i);
    }
    if (total > TraceAssembler.MAX_TOKENS) {
      throw rows.wrong(
          "input_prompt_length",
          total + " tokens in the last prompt",
          "at most " + TraceAssembler.MAX_TOKENS + " tokens");
    }
  }

  private static void checkLength(JsonRows rows, String field, LongColumn values, long turns) {
    if (values.size() != turns) {
      throw rows.wrong(field, values.size() + " values", turns + ", as num_turns says");
    }
  }

  private void add(JsonRows rows, @Nullable String id, int firstInput, int lastOutput) {
    int line = rows.rowLine();
    if (id != null && assembler.sessions.find(id) >= 0) {
      throw rows.wrong("id", '"' + id + '"', "an id that no other session has");
    }
    int session = id == null ? assembler.session(line) : assembler.session(id, line);
    int before = -1;
    int input = firstInput;
    long context = 0;
    for (int turn = 0; turn <= responses.size(); turn++) {
      boolean isLast = turn == responses.size();
      int r = assembler.request(session, line);
      assembler.input(r, input);
      assembler.output(r, isLast ? lastOutput : (int) responses.get(turn));
      if (before < 0) {
        assembler.arrival(r, 0);
      } else {
        assembler.edge(r, before, EdgeTrigger.COMPLETION, latencies.get(turn - 1));
      }
      prompts.add(r, before, context);
      before = r;
      if (!isLast) {
        context = input + responses.get(turn);
        input += (int) (responses.get(turn) + toolOutputs.get(turn));
      }
    }
  }

  @Override
  public void finish() {
    assembler.note("Prompts only grow within a session; sessions share no block.");
  }
}

package io.orrery.traces;

import com.fasterxml.jackson.core.JsonToken;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * TraceLab rounds: one row per LLM call of a coding agent's session, with {@code input_tokens_total
 * = prefix_tokens + newly_append_tokens}, dated {@code timing_events} and {@code tools}.
 *
 * <p>A round starts at the last of its events that go in (user message, tool result) before the
 * first that comes out, and ends at its last event. The leading {@code prefix_tokens}, which came
 * from the provider's cache, are those of the session's context before.
 *
 * @see <a href="https://github.com/uw-syfi/TraceLab">TraceLab</a>
 */
final class TraceLabReader implements TraceReader {
  static final Description DESCRIPTION =
      new Description(
          "16, or as asked for: blocks are cut from the recorded prefix lengths",
          "dates",
          "only full blocks have an identity",
          "the earliest event is 0",
          "rounds of a session by time, each after the completion of the one before it plus the"
              + " recorded gap; its first prefix_tokens are those of the round before");

  private static final long NANOS_PER_S = 1_000_000_000;

  private final TraceAssembler assembler;
  private final DraftedRequests requests;
  private final GrownPrompts prompts;
  private final RequestDraft draft = new RequestDraft();

  /** A session's last round so far. */
  private final Map<String, Integer> last = new HashMap<>();

  private long prefix;
  private long added;
  private boolean output;

  TraceLabReader(TraceAssembler assembler, TraceOptions options) {
    this.assembler = assembler;
    requests = new DraftedRequests(assembler);
    prompts = new GrownPrompts(assembler, options);
  }

  static boolean recognises(FirstObject object) {
    return object.hasAll("session_id", "round_index", "input_tokens_total");
  }

  @Override
  public void read(JsonRows rows) {
    while (rows.nextRow()) {
      draft.clear();
      prefix = 0;
      added = RequestDraft.NONE;
      output = false;
      String provider = null;
      for (String field; (field = rows.nextField()) != null; ) {
        switch (field) {
          case "provider" -> provider = rows.textOrNull(field);
          case "session_id" -> draft.session = rows.id(field);
          case "model" -> draft.model = rows.textOrNull(field);
          case "input_tokens_total" -> draft.input = DraftedRequests.input(rows, field);
          case "prefix_tokens" -> prefix = rows.wholeOr(field, 0, TraceAssembler.MAX_TOKENS, 0);
          case "newly_append_tokens" ->
              added = rows.wholeOr(field, 0, TraceAssembler.MAX_TOKENS, RequestDraft.NONE);
          case "output_tokens" -> draft.output = DraftedRequests.output(rows, field);
          case "timing_events" -> readEvents(rows, field);
          case "tools" -> readTools(rows, field);
          default -> rows.skip();
        }
      }
      add(rows, provider);
    }
  }

  private void add(JsonRows rows, @Nullable String provider) {
    String session = draft.session;
    if (session == null) {
      throw rows.wrong("session_id", "nothing", "this field in every row");
    }
    String key =
        provider == null || session.startsWith(provider) ? session : provider + ":" + session;
    draft.session = key;
    if (!output) {
      draft.end = Trace.NO_TIME;
    }
    draft.cached = (int) prefix;
    int r = requests.add(rows, draft, "input_tokens_total", "output_tokens", "timing_events");
    if (added != RequestDraft.NONE && prefix + added != draft.input) {
      assembler.count("rounds whose total tokens are not their prefix and what they append");
    }
    Integer before = last.put(key, r);
    prompts.add(r, before == null ? -1 : before, prefix);
  }

  private void readEvents(JsonRows rows, String field) {
    if (!rows.enter(field, JsonToken.START_ARRAY)) {
      return;
    }
    while (rows.nextObject(field)) {
      String type = "";
      long time = Trace.NO_TIME;
      for (String key; (key = rows.nextField()) != null; ) {
        switch (key) {
          case "event_type" -> {
            String text = rows.textOrNull(key);
            type = text == null ? "" : text;
          }
          case "timestamp" -> time = rows.instantOrNone(key, NANOS_PER_S, "s");
          default -> rows.skip();
        }
      }
      if (time != Trace.NO_TIME) {
        boolean in = type.startsWith("user") || type.equals("tool_result");
        output |= !in;
        if (draft.arrival == Trace.NO_TIME || (in && !output)) {
          draft.arrival = Math.max(draft.arrival, time);
        }
        draft.end = Math.max(draft.end, time);
      }
    }
  }

  private void readTools(JsonRows rows, String field) {
    if (!rows.enter(field, JsonToken.START_ARRAY)) {
      return;
    }
    while (rows.nextObject(field)) {
      for (String key; (key = rows.nextField()) != null; ) {
        if (key.equals("tool_name") || key.equals("name")) {
          draft.tools.add(rows.scalarOrNull(key));
        } else {
          rows.skip();
        }
      }
    }
  }

  @Override
  public void finish() {
    requests.finish();
    assembler.note(
        "Block identities follow recorded prefix lengths within a session; sessions share none.");
  }
}

package io.orrery.traces;

import com.fasterxml.jackson.core.JsonToken;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * RAGPulse: {@code {"timestamp": "82", "input_length": 3112, "output_length": 192, "hash_ids":
 * {"sys_prompt": [...], ...}, "session_id": "..."}}. Times are texts of seconds that begin anew
 * after a week. The ids name the components of a prompt in their order; how many tokens one has
 * stands in files beside the requests, {@code {"passages_id": 17, "token_length": 512}}. Blocks are
 * cut from the components where these are read, too.
 *
 * @see <a href="https://github.com/flashserve/RAGPulse">RAGPulse</a>
 */
final class RagPulseReader implements TraceReader {
  static final Description DESCRIPTION =
      new Description(
          "16, or as asked for: blocks are cut from the components, if the files of their lengths are"
              + " read, too; else none, and hit rates are unknown",
          "s, as texts",
          "only full blocks have an identity",
          "the earliest time is 0; a drop of more than half a week is the next week's beginning",
          "rows with one session id by time, each as long after the start of the one before it as"
              + " recorded but not before its completion");

  private static final String COMPONENTS = "hash_ids";
  private static final String LENGTH = "token_length";
  private static final String SESSION = "session_id";

  private static final long NANOS_PER_S = 1_000_000_000;
  private static final long WEEK = 7L * 24 * 3600 * NANOS_PER_S;

  private final TraceAssembler assembler;
  private final DraftedRequests requests;
  private final RequestDraft draft = new RequestDraft();
  private final PromptComponents components = new PromptComponents();

  /** The requests, which are held until all lengths are known. */
  private final List<Row> held = new ArrayList<>();

  private long weeks;
  private long last;

  private record Row(
      int file,
      int line,
      long arrival,
      int input,
      int output,
      @Nullable String session,
      long[] components) {}

  RagPulseReader(TraceAssembler assembler, TraceOptions options) {
    this.assembler = assembler;
    requests = DraftedRequests.withoutBlocks(assembler, options);
  }

  static boolean recognises(FirstObject object) {
    return (object.hasAll("timestamp", "input_length") && object.holdsObject(COMPONENTS))
        || (object.has(LENGTH) && object.keys().stream().anyMatch(RagPulseReader::namesComponents));
  }

  private static boolean namesComponents(String field) {
    return field.endsWith("_id") && !field.equals(SESSION);
  }

  @Override
  public int held() {
    return held.size();
  }

  @Override
  public void read(JsonRows rows) {
    rows.acceptTextNumbers();
    while (rows.nextRow()) {
      draft.clear();
      components.clear();
      long component = PromptComponents.NONE;
      long length = PromptComponents.NONE;
      for (String field; (field = rows.nextField()) != null; ) {
        switch (field) {
          case "timestamp" -> draft.arrival = rows.nanosOrNone(field, NANOS_PER_S, "s");
          case "input_length" -> draft.input = DraftedRequests.input(rows, field);
          case "output_length" -> draft.output = DraftedRequests.output(rows, field);
          case SESSION -> draft.session = rows.idOrNull(field);
          case COMPONENTS -> readComponents(rows);
          case LENGTH -> length = rows.whole(field, 0, TraceAssembler.MAX_TOKENS);
          default -> {
            if (namesComponents(field)) {
              component = rows.whole(field, 0, Long.MAX_VALUE);
            } else {
              rows.skip();
            }
          }
        }
      }
      if (length == PromptComponents.NONE) {
        hold(rows);
      } else {
        DraftedRequests.require(rows, component != PromptComponents.NONE, "an id of a component");
        components.length(rows, LENGTH, component, length);
      }
    }
  }

  private void readComponents(JsonRows rows) {
    if (!rows.enter(COMPONENTS, JsonToken.START_OBJECT)) {
      return;
    }
    for (String kind; (kind = rows.nextField()) != null; ) {
      if (rows.enter(kind, JsonToken.START_ARRAY)) {
        while (rows.nextElement() != null) {
          components.add(rows.elementWhole(kind, 0, Long.MAX_VALUE));
        }
      }
    }
  }

  private void hold(JsonRows rows) {
    DraftedRequests.require(rows, draft.input != RequestDraft.NONE, "input_length");
    DraftedRequests.require(rows, draft.output != RequestDraft.NONE, "output_length");
    DraftedRequests.require(rows, draft.arrival != Trace.NO_TIME, "timestamp");
    long written = draft.arrival;
    boolean wraps = last - written > WEEK / 2;
    long offset = wraps ? weeks + WEEK : weeks;
    if (offset > Decimals.MAX_NANOS - written) {
      throw rows.wrong("timestamp", "times beyond the clock", "at most 146 years");
    }
    held.add(
        new Row(
            assembler.lastFile(),
            rows.rowLine(),
            written + offset,
            draft.input,
            draft.output,
            draft.session,
            components.ofPrompt()));
    if (wraps) {
      assembler.count("times that begin anew, moved on by a week");
    }
    weeks = offset;
    last = written;
  }

  @Override
  public void finish() {
    NamedPrompts prompts = new NamedPrompts(assembler, COMPONENTS);
    HashRuns hashes = new HashRuns();
    for (Row row : held) {
      draft.clear();
      draft.arrival = row.arrival;
      draft.input = row.input;
      draft.output = row.output;
      draft.session = row.session;
      int r = requests.add(row.line, row.file, draft);
      if (components.lengthsKnown()) {
        String quirk = components.blocks(row.components, row.input, assembler.blockSize(), hashes);
        if (quirk != null) {
          assembler.countAt(quirk, r);
        }
        prompts.add(r, hashes, null);
      }
    }
    if (!components.lengthsKnown()) {
      assembler.note(
          "Component ids have no token lengths in this file, so they name no blocks: the files"
              + " beside it have them (1_sys_prompt.jsonl and so on).");
    }
    requests.finish();
  }
}

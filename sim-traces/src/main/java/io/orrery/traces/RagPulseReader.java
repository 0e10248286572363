package io.orrery.traces;

/**
 * RAGPulse: {@code {"timestamp": "82", "input_length": 3112, "output_length": 192, "hash_ids":
 * {"sys_prompt": [...], ...}, "session_id": "..."}}. Times are texts of seconds that begin anew
 * after a week. The ids name retrieved components; how many tokens one has stands elsewhere, so
 * they name no blocks.
 *
 * @see <a href="https://github.com/flashserve/RAGPulse">RAGPulse</a>
 */
final class RagPulseReader implements TraceReader {
  static final Description DESCRIPTION =
      Description.withoutBlocks(
          "s, as texts",
          "the earliest time is 0; a drop of more than half a week is the next week's beginning",
          "rows with one session id by time, each as long after the start of the one before it as"
              + " recorded but not before its completion");

  private static final long NANOS_PER_S = 1_000_000_000;
  private static final long WEEK = 7L * 24 * 3600 * NANOS_PER_S;

  private final TraceAssembler assembler;
  private final DraftedRequests requests;
  private final RequestDraft draft = new RequestDraft();
  private long weeks;
  private long last;

  RagPulseReader(TraceAssembler assembler, TraceOptions options) {
    this.assembler = assembler;
    requests = DraftedRequests.withoutBlocks(assembler, options);
  }

  static boolean recognises(FirstObject object) {
    return object.hasAll("timestamp", "input_length") && object.holdsObject("hash_ids");
  }

  @Override
  public void read(JsonRows rows) {
    rows.acceptTextNumbers();
    while (rows.nextRow()) {
      draft.clear();
      for (String field; (field = rows.nextField()) != null; ) {
        switch (field) {
          case "timestamp" -> draft.arrival = rows.nanosOrNone(field, NANOS_PER_S, "s");
          case "input_length" -> draft.input = DraftedRequests.input(rows, field);
          case "output_length" -> draft.output = DraftedRequests.output(rows, field);
          case "session_id" -> draft.session = rows.idOrNull(field);
          default -> rows.skip();
        }
      }
      DraftedRequests.require(rows, draft.arrival != Trace.NO_TIME, "timestamp");
      long written = draft.arrival;
      boolean wraps = last - written > WEEK / 2;
      long offset = wraps ? weeks + WEEK : weeks;
      if (offset > Decimals.MAX_NANOS - written) {
        throw rows.wrong("timestamp", "times beyond the clock", "at most 146 years");
      }
      draft.arrival = written + offset;
      requests.add(rows, draft, "input_length", "output_length", "timestamp");
      if (wraps) {
        assembler.count("times that begin anew, moved on by a week");
      }
      weeks = offset;
      last = written;
    }
  }

  @Override
  public void finish() {
    assembler.note("Component ids have no token lengths in this file, so they name no blocks.");
    requests.finish();
  }
}

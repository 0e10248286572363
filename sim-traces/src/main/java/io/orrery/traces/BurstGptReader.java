package io.orrery.traces;

/**
 * BurstGPT, with and without session ids: {@code Timestamp,Session ID,Elapsed time,Model,Request
 * tokens,Response tokens,Total tokens,Log Type}. Times are seconds, most requests have no session.
 * Requests that failed have no response tokens; they are replayed like all outputs of length 0,
 * since what their prompts cost is not said (files called {@code without_fails} have none).
 *
 * @see <a href="https://github.com/HPMLL/BurstGPT">BurstGPT</a>
 */
final class BurstGptReader implements TraceReader {
  static final Description DESCRIPTION =
      Description.withoutBlocks(
          "s",
          "the earliest time is 0",
          "rows with one session id by time, each after the turn before it plus the recorded gap");

  private static final long NANOS_PER_S = 1_000_000_000;

  private final TraceAssembler assembler;
  private final DraftedRequests requests;
  private final RequestDraft draft = new RequestDraft();

  BurstGptReader(TraceAssembler assembler, TraceOptions options) {
    this.assembler = assembler;
    requests = DraftedRequests.withoutBlocks(assembler, options);
  }

  static boolean recognises(FirstObject object) {
    return object.hasAll("Timestamp", "Request tokens", "Response tokens");
  }

  @Override
  public void read(JsonRows rows) {
    while (rows.nextRow()) {
      draft.clear();
      long prompt = RequestDraft.NONE;
      long total = RequestDraft.NONE;
      for (String field; (field = rows.nextField()) != null; ) {
        switch (field) {
          case "Timestamp" -> draft.arrival = rows.nanosOrNone(field, NANOS_PER_S, "s");
          case "Session ID" -> draft.session = rows.idOrNull(field);
          case "Elapsed time" -> draft.total = rows.nanosOrNone(field, NANOS_PER_S, "s");
          case "Model" -> draft.model = rows.textOrNull(field);
          case "Request tokens" ->
              prompt = rows.wholeOr(field, 0, TraceAssembler.MAX_TOKENS, RequestDraft.NONE);
          case "Response tokens" -> draft.output = DraftedRequests.output(rows, field);
          case "Total tokens" ->
              total = rows.wholeOr(field, 0, 2L * TraceAssembler.MAX_TOKENS, RequestDraft.NONE);
          default -> rows.skip();
        }
      }
      if (prompt == 0) {
        assembler.count("rows without prompt tokens (failed requests), left out");
      } else {
        draft.input = (int) prompt;
        requests.add(rows, draft, "Request tokens", "Response tokens", "Timestamp");
        if (total != RequestDraft.NONE && total != prompt + draft.output) {
          assembler.count("rows whose total tokens are not their request's and response's");
        }
      }
    }
  }

  @Override
  public void finish() {
    requests.finish();
  }
}

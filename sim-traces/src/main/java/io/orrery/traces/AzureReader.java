package io.orrery.traces;

/**
 * Azure's LLM inference traces of 2023 and 2024: {@code TIMESTAMP,ContextTokens,GeneratedTokens},
 * with dates of up to seven decimals, with a zone or without.
 *
 * @see <a href="https://github.com/Azure/AzurePublicDataset">AzurePublicDataset</a>
 */
final class AzureReader implements TraceReader {
  static final Description DESCRIPTION =
      Description.withoutBlocks(
          "dates, UTC where they name no zone", "the earliest time is 0", "each row is a session");

  private static final long NANOS_PER_S = 1_000_000_000;

  private final TraceAssembler assembler;
  private final DraftedRequests requests;
  private final RequestDraft draft = new RequestDraft();

  AzureReader(TraceAssembler assembler, TraceOptions options) {
    this.assembler = assembler;
    requests = DraftedRequests.withoutBlocks(assembler, options);
  }

  static boolean recognises(FirstObject object) {
    return object.hasAll("TIMESTAMP", "ContextTokens", "GeneratedTokens");
  }

  @Override
  public void read(JsonRows rows) {
    while (rows.nextRow()) {
      draft.clear();
      boolean images = false;
      for (String field; (field = rows.nextField()) != null; ) {
        switch (field) {
          case "TIMESTAMP" -> draft.arrival = rows.instantOrNone(field, NANOS_PER_S, "s");
          case "ContextTokens" -> draft.input = DraftedRequests.input(rows, field);
          case "GeneratedTokens" -> draft.output = DraftedRequests.output(rows, field);
          case "NumImages" -> images = rows.wholeOr(field, 0, TraceAssembler.MAX_TOKENS, 0) > 0;
          default -> rows.skip();
        }
      }
      requests.add(rows, draft, "ContextTokens", "GeneratedTokens", "TIMESTAMP");
      if (images) {
        assembler.count("requests with images, replayed by their tokens alone");
      }
    }
  }

  @Override
  public void finish() {
    requests.finish();
  }
}

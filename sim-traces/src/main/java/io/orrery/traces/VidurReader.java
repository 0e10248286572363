package io.orrery.traces;

/**
 * Tables of arrivals and lengths: Vidur's {@code arrived_at,num_prefill_tokens,num_decode_tokens}
 * and Splitwise's {@code request_id,...,arrival_timestamp,batch_size,prompt_size,token_size}.
 *
 * @see <a href="https://github.com/microsoft/vidur">Vidur</a>
 * @see <a href="https://github.com/Mutinifni/splitwise-sim">splitwise-sim</a>
 */
final class VidurReader implements TraceReader {
  static final Description DESCRIPTION =
      new Description(
          "`block_size` in the row where it has `block_hash_ids`, else none: hit rates are unknown",
          "s",
          "a trailing partial block may be included and is never a hit",
          "the earliest arrival is 0",
          "rows with one session id by time, each as long after the start of the one before it as"
              + " recorded but not before its completion");

  private static final long NANOS_PER_S = 1_000_000_000;

  private final TraceAssembler assembler;
  private final TraceOptions options;
  private final DraftedRequests requests;
  private final RequestDraft draft = new RequestDraft();
  private final NamedPrompts prompts;
  private final HashRuns hashes = new HashRuns();
  private boolean splitwise;

  VidurReader(TraceAssembler assembler, TraceOptions options) {
    this.assembler = assembler;
    this.options = options;
    requests = new DraftedRequests(assembler);
    prompts = new NamedPrompts(assembler, "block_hash_ids");
  }

  static boolean recognises(FirstObject object) {
    return (object.hasAll("arrived_at", "num_prefill_tokens", "num_decode_tokens")
        || object.hasAll("arrival_timestamp", "prompt_size", "token_size"));
  }

  @Override
  public void read(JsonRows rows) {
    while (rows.nextRow()) {
      draft.clear();
      hashes.clear();
      boolean named = false;
      int blockSize = 0;
      for (String field; (field = rows.nextField()) != null; ) {
        switch (field) {
          case "arrived_at", "arrival_timestamp" ->
              draft.arrival = rows.nanosOrNone(field, NANOS_PER_S, "s");
          case "num_prefill_tokens", "prompt_size" ->
              draft.input = DraftedRequests.input(rows, field);
          case "num_decode_tokens", "token_size" ->
              draft.output = DraftedRequests.output(rows, field);
          case "session_id" -> draft.session = rows.idOrNull(field);
          case "request_id" -> draft.request = rows.idOrNull(field);
          case "block_size" ->
              blockSize = (int) rows.wholeOr(field, 1, TraceAssembler.MAX_TOKENS, 0);
          case "block_hash_ids" -> named = rows.hashesInText(field, hashes);
          default -> rows.skip();
        }
        splitwise |= field.equals("prompt_size");
      }
      add(rows, named, blockSize);
    }
  }

  private void add(JsonRows rows, boolean named, int blockSize) {
    if (named) {
      prompts.blockSize(rows, "block_size", blockSize, options.blockSize());
      DraftedRequests.require(rows, draft.input != RequestDraft.NONE, "num_prefill_tokens");
      prompts.check(rows, draft.input, hashes.size());
    }
    int r =
        requests.add(
            rows,
            draft,
            splitwise ? "prompt_size" : "num_prefill_tokens",
            splitwise ? "token_size" : "num_decode_tokens",
            splitwise ? "arrival_timestamp" : "arrived_at");
    if (named) {
      prompts.add(r, hashes, null);
    }
  }

  @Override
  public void finish() {
    if (assembler.blockSize() == 0) {
      assembler.blockSize(options.blockSize() > 0 ? options.blockSize() : GrownPrompts.BLOCK_SIZE);
    }
    requests.finish();
  }
}

package io.orrery.traces;

import java.util.Set;

/**
 * Mooncake JSON lines: {@code {"timestamp": 0, "input_length": 6758, "output_length": 500,
 * "hash_ids": [0, 1, ...]}}.
 *
 * <p>Times are in ms, blocks have 512 tokens unless told otherwise, the last partial block is
 * included. Rows with one {@code session_id} are the turns of a session, in file order: with {@code
 * delay}, a turn starts that long after the completion of the one before it; with a {@code
 * timestamp} only, as long after that one's start as recorded, but not before its completion. Where
 * a row has both, the delay decides.
 *
 * @see <a href="https://github.com/kvcache-ai/Mooncake">Mooncake (FAST '25)</a>
 */
final class MooncakeReader implements TraceReader {
  static final Description DESCRIPTION =
      new Description(
          "512, or as asked for",
          "ms",
          "a trailing partial block is included and never a hit",
          "the earliest timestamp is 0",
          "rows of a session in file order; after the turn before them completes plus delay, else as long after its start"
              + " as recorded but not before its completion");

  static final int DEFAULT_BLOCK_SIZE = 512;

  /** Keys of relatives of the format whose rows mean something else. */
  private static final Set<String> FOREIGN =
      Set.of(
          "wait_for",
          "branches",
          "dependencies",
          "tool_wait_ms",
          "play_id",
          "chat_id",
          "parent_chat_id");

  private final TraceAssembler assembler;
  private final int blockSize;
  private final MooncakeRow row = new MooncakeRow();
  private final MooncakeTurns turns;
  private final NamedPrompts prompts;
  private long laterTurns;
  private long disjointTurns;

  MooncakeReader(TraceAssembler assembler, TraceOptions options) {
    this.assembler = assembler;
    blockSize = options.blockSize() > 0 ? options.blockSize() : DEFAULT_BLOCK_SIZE;
    turns = new MooncakeTurns(assembler);
    prompts = new NamedPrompts(assembler, "hash_ids");
    assembler.blockSize(blockSize);
    assembler.originAtFirstArrival();
  }

  static boolean recognises(FirstObject object) {
    boolean mooncake = object.has("input_length") || object.has("input_tokens");
    return object.complete()
        && mooncake
        && !object.holdsObject("hash_ids")
        && FOREIGN.stream().noneMatch(object::has);
  }

  @Override
  public boolean foldsRuns() {
    return true;
  }

  @Override
  public boolean refusesRepeatedKeys() {
    return true;
  }

  @Override
  public void read(JsonRows rows) {
    while (rows.nextRow()) {
      readRow(rows);
      addRow(rows);
    }
  }

  @Override
  public void finish() {
    if (laterTurns > 0 && laterTurns == disjointTurns) {
      assembler.note(
          "No turn continues the prompt of the turn before it: if these rows are increments (mooncake-delta), the"
              + " prompts must be summed up first.");
    }
  }

  private void readRow(JsonRows rows) {
    row.clear();
    for (String field; (field = rows.nextField()) != null; ) {
      if (!row.read(rows, field)) {
        if (FOREIGN.contains(field)) {
          throw rows.wrong(field, "this key", "Mooncake rows, which have no such key");
        }
        rows.skip();
      }
    }
    row.require(rows);
  }

  private void addRow(JsonRows rows) {
    prompts.check(rows, row.input, row.hashes.size());
    int r = turns.open(rows, row, row.input);
    addBlocks(r);
    int previous = assembler.previousInSession(r);
    if (previous >= 0) {
      laterTurns++;
      if (disjoint(r, previous)) {
        disjointTurns++;
        assembler.count("turns whose prompt shares nothing with the turn before them");
      }
    }
  }

  private void addBlocks(int r) {
    int given = row.hashes.size();
    if (!row.hasHashes) {
      assembler.count(TraceFindings.NO_HASHES);
      return;
    }
    long most = ((long) row.input + blockSize - 1) / blockSize;
    if (given >= row.input / blockSize && given < most) {
      assembler.count("prompts without a hash for their partial last block");
    }
    prompts.add(r, row.hashes, null);
  }

  private boolean disjoint(int r, int previous) {
    return assembler.given.get(r) > 0
        && assembler.given.get(previous) > 0
        && assembler.runs.first(assembler.runStart.get(r))
            != assembler.runs.first(assembler.runStart.get(previous));
  }
}

package io.orrery.traces;

import io.orrery.traces.columns.LongColumn;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Mooncake rows that hold only what a turn adds ("mooncake-delta"): a turn's prompt is the prompt
 * and the output of the turn before it, and then this row's tokens. The first row's hashes name the
 * blocks of a session's first prompt; increments begin inside a block, so what follows it gets
 * identities of the session's own.
 *
 * <p>The rows look like those of {@link MooncakeReader}. They are told apart by what follows in a
 * session: no turn continues the prompt of the turn before it, and some are shorter.
 */
final class MooncakeDeltaReader implements TraceReader {
  static final Description DESCRIPTION =
      new Description(
          "512, or as asked for",
          "ms",
          "the first prompt's trailing partial block is included and never a hit; later blocks are cut"
              + " from the summed prompt",
          "the earliest timestamp is 0",
          "rows of a session in file order hold increments: a prompt is all before it, outputs"
              + " included, and this row; it starts after the turn before it completes plus delay,"
              + " else as long after its start as recorded but not before its completion");

  private static final int ROWS_LOOKED_AT = 2_000;
  private static final int ROWS_WITHOUT_SESSIONS = 50;

  private final TraceAssembler assembler;
  private final MooncakeRow row = new MooncakeRow();
  private final MooncakeTurns turns;
  private final NamedPrompts prompts;
  private final GrownPrompts grown;

  /** Tokens of each request's prompt and output, as recorded. */
  private final LongColumn contexts = new LongColumn();

  MooncakeDeltaReader(TraceAssembler assembler, TraceOptions options) {
    this.assembler = assembler;
    turns = new MooncakeTurns(assembler);
    prompts = new NamedPrompts(assembler, "hash_ids");
    grown = new GrownPrompts(assembler, options);
    assembler.blockSize(
        options.blockSize() > 0 ? options.blockSize() : MooncakeReader.DEFAULT_BLOCK_SIZE);
    assembler.originAtFirstArrival();
  }

  /** Whether the sessions of Mooncake rows, as far as one looks, are increments. */
  static boolean looksLikeIncrements(JsonRows rows) {
    MooncakeRow row = new MooncakeRow();
    Map<String, int[]> lastOfSession = new HashMap<>();
    Map<String, Long> firstHash = new HashMap<>();
    Set<String> several = new HashSet<>();
    boolean shorter = false;
    for (int i = 0; i < ROWS_LOOKED_AT && rows.nextRow(); i++) {
      if (i == ROWS_WITHOUT_SESSIONS && lastOfSession.isEmpty()) {
        return false;
      }
      row.read(rows);
      String session = row.session;
      if (session != null && row.hashes.size() > 0) {
        Long before = firstHash.put(session, row.hashes.first(0));
        int[] last = lastOfSession.computeIfAbsent(session, s -> new int[1]);
        if (before != null) {
          several.add(session);
          if (before == row.hashes.first(0)) {
            return false;
          }
          shorter |= row.input < last[0];
        }
        last[0] = row.input;
      }
    }
    return shorter && !several.isEmpty();
  }

  @Override
  public boolean refusesRepeatedKeys() {
    return true;
  }

  @Override
  public void read(JsonRows rows) {
    while (rows.nextRow()) {
      row.read(rows);
      prompts.check(rows, row.input, row.hashes.size());
      add(rows);
    }
  }

  private void add(JsonRows rows) {
    int before = turns.lastOf(row.session);
    long context = before < 0 ? 0 : contexts.get(before);
    long total = context + row.input;
    if (total > TraceAssembler.MAX_TOKENS) {
      throw rows.wrong(
          "input_length",
          total + " tokens with all turns before it",
          "at most " + TraceAssembler.MAX_TOKENS + " tokens");
    }
    int r = turns.open(rows, row, (int) total);
    contexts.add(total + row.output);
    if (before >= 0) {
      assembler.countNote("turns whose prompt is summed up from increments");
      grown.add(r, before, context);
    } else if (row.hasHashes) {
      prompts.add(r, row.hashes, null);
    } else {
      assembler.count(TraceFindings.NO_HASHES);
    }
  }

  @Override
  public void finish() {
    assembler.note(
        "Rows are taken for increments (mooncake-delta): prompts are summed up over a session, outputs"
            + " included; trace.format mooncake reads them as whole prompts.");
  }
}

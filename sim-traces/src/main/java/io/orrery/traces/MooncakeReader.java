package io.orrery.traces;

import java.util.Set;
import org.jspecify.annotations.Nullable;

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
  private static final int DEFAULT_BLOCK_SIZE = 512;
  private static final long NANOS_PER_MS = 1_000_000;

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

  private static final int TIMESTAMP = 1;
  private static final int CREATED = 1 << 1;
  private static final int INPUT = 1 << 2;
  private static final int OUTPUT = 1 << 3;
  private static final int HASHES = 1 << 4;
  private static final int REQUEST = 1 << 5;
  private static final int SESSION = 1 << 6;
  private static final int DELAY = 1 << 7;
  private static final int PRIORITY = 1 << 8;

  private final TraceAssembler assembler;
  private final int blockSize;

  /** Per session: its last request with a timestamp. */
  private final SparseColumn lastStamped = new SparseColumn(-1);

  private final LongIntMap names = new LongIntMap();
  private long latest;
  private long laterTurns;
  private long disjointTurns;

  // the current row
  private int seen;
  private long timestamp;
  private long created;
  private long delay;
  private int input;
  private int output;
  private int priority;
  private @Nullable String request;
  private @Nullable String session;
  private final LongColumn hashes = new LongColumn();

  MooncakeReader(TraceAssembler assembler, TraceOptions options) {
    this.assembler = assembler;
    blockSize = options.blockSize() > 0 ? options.blockSize() : DEFAULT_BLOCK_SIZE;
    assembler.blockSize(blockSize);
    assembler.originAtFirstArrival();
  }

  static boolean recognises(FirstObject object) {
    boolean mooncake = object.has("input_length") || object.has("input_tokens");
    return object.complete() && mooncake && FOREIGN.stream().noneMatch(object::has);
  }

  @Override
  public Description description() {
    return new Description(
        "ms",
        "a trailing partial block is included and never a hit",
        "the earliest timestamp is 0",
        "rows of a session in file order; after the turn before them completes plus delay, else as long after its start"
            + " as recorded but not before its completion");
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
    seen = 0;
    timestamp = Trace.NO_TIME;
    created = Trace.NO_TIME;
    delay = Trace.NO_TIME;
    priority = 0;
    request = null;
    session = null;
    hashes.clear();
    for (String field; (field = rows.nextField()) != null; ) {
      readField(rows, field);
    }
    require(rows, INPUT, "input_length");
    require(rows, OUTPUT, "output_length");
  }

  private void readField(JsonRows rows, String field) {
    switch (field) {
      case "timestamp" -> {
        seen = rows.once(seen, TIMESTAMP, field);
        timestamp = rows.nanosOrNone(field, NANOS_PER_MS, "ms");
      }
      case "created_time" -> {
        seen = rows.once(seen, CREATED, field);
        created = rows.nanosOrNone(field, NANOS_PER_MS, "ms");
      }
      case "input_length", "input_tokens" -> {
        seen = rows.once(seen, INPUT, field);
        input = (int) rows.whole(field, 1, TraceAssembler.MAX_TOKENS);
      }
      case "output_length", "output_tokens" -> {
        seen = rows.once(seen, OUTPUT, field);
        output = (int) rows.whole(field, 0, TraceAssembler.MAX_TOKENS);
      }
      case "hash_ids" -> {
        seen = rows.once(seen, HASHES, field);
        if (!rows.hashes(field, hashes)) {
          seen &= ~HASHES;
        }
      }
      case "request_id" -> {
        seen = rows.once(seen, REQUEST, field);
        request = rows.id(field);
      }
      case "session_id" -> {
        seen = rows.once(seen, SESSION, field);
        session = rows.id(field);
      }
      case "delay", "delay_ms" -> {
        seen = rows.once(seen, DELAY, field);
        delay = rows.nanosOrNone(field, NANOS_PER_MS, "ms");
      }
      case "priority" -> {
        seen = rows.once(seen, PRIORITY, field);
        priority = (int) rows.wholeOr(field, Integer.MIN_VALUE, Integer.MAX_VALUE, 0);
      }
      default -> {
        if (FOREIGN.contains(field)) {
          throw rows.wrong(field, "this key", "Mooncake rows, which have no such key");
        }
        rows.skip();
      }
    }
  }

  private void require(JsonRows rows, int bit, String field) {
    if ((seen & bit) == 0) {
      throw rows.wrong(field, "nothing", "this field in every row");
    }
  }

  private void addRow(JsonRows rows) {
    String id = session;
    int line = rows.rowLine();
    int s = id == null ? assembler.session(line) : assembler.session(id, line);
    int r = assembler.request(s, line);
    if (request != null) {
      assembler.requestId(r, request);
    }
    assembler.input(r, input);
    assembler.output(r, output);
    assembler.priority(r, priority);
    addBlocks(rows, r);
    addTimes(rows, r, s);
  }

  private void addBlocks(JsonRows rows, int r) {
    int given = hashes.size();
    int full = input / blockSize;
    int most = (int) (((long) input + blockSize - 1) / blockSize);
    if (given > most) {
      throw rows.wrong(
          "hash_ids",
          given + " hashes",
          "at most "
              + most
              + " for "
              + input
              + " input tokens in blocks of "
              + blockSize
              + " (is trace.blockSize right?)");
    }
    if ((seen & HASHES) == 0) {
      assembler.count("requests without block hashes");
    } else if (given < full) {
      assembler.count("prompts with fewer hashes than full blocks, the rest unidentified");
    } else if (given < most) {
      assembler.count("prompts without a hash for their partial last block");
    }
    BlockIds ids = assembler.blockIds();
    RunColumn runs = assembler.runs;
    runs.startList();
    int block = BlockIds.NONE;
    for (int i = 0; i < given; i++) {
      block = ids.intern(names, hashes.get(i), block);
      runs.add(block);
    }
    assembler.promptEnd(r, given);
  }

  private void addTimes(JsonRows rows, int r, int s) {
    long stamp = timestamp != Trace.NO_TIME ? timestamp : created;
    int previous = assembler.previousInSession(r);
    if (stamp == Trace.NO_TIME && (previous < 0 || delay == Trace.NO_TIME)) {
      throw rows.wrong(
          "timestamp",
          "nothing",
          previous < 0 ? "a time in ms in a session's first row" : "a time in ms, or a delay");
    }
    if (stamp != Trace.NO_TIME) {
      assembler.arrival(r, stamp);
      if (stamp < latest) {
        assembler.count("rows out of time order, sorted");
      }
      latest = Math.max(latest, stamp);
    }
    if (previous < 0) {
      if (delay > 0) {
        assembler.count("delays in the first row of a session, without effect");
      }
    } else {
      addTurn(r, s, previous, stamp);
    }
    if (stamp != Trace.NO_TIME) {
      lastStamped.set(s, r);
    }
  }

  private void addTurn(int r, int s, int previous, long stamp) {
    laterTurns++;
    if (disjoint(r, previous)) {
      disjointTurns++;
      assembler.count("turns whose prompt shares nothing with the turn before them");
    }
    if (delay != Trace.NO_TIME) {
      assembler.edge(r, previous, EdgeTrigger.COMPLETION, delay);
      return;
    }
    assembler.count("turns released by a start-to-start gap");
    int stamped = (int) lastStamped.get(s);
    if (stamped >= 0) {
      long gap = stamp - assembler.arrival.get(stamped);
      if (gap < 0) {
        assembler.count("turns stamped before the turn they follow");
      }
      assembler.edge(r, stamped, EdgeTrigger.DISPATCH, Math.max(0, gap));
    }
    assembler.edge(r, previous, EdgeTrigger.COMPLETION, 0);
  }

  private boolean disjoint(int r, int previous) {
    return assembler.given.get(r) > 0
        && assembler.given.get(previous) > 0
        && assembler.runs.first(assembler.runStart.get(r))
            != assembler.runs.first(assembler.runStart.get(previous));
  }
}

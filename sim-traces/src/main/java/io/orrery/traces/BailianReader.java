package io.orrery.traces;

import io.orrery.traces.columns.IntColumn;
import io.orrery.traces.columns.LongColumn;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Qwen-Bailian usage traces: {@code {"chat_id": 159, "parent_chat_id": 55, "timestamp": 61.114,
 * "input_length": 521, "output_length": 132, "type": "text", "turn": 2, "hash_ids": [...]}}.
 *
 * <p>Times are in s, blocks have 16 tokens, a row holds the whole prompt of its turn. The parent of
 * a row is the turn before it, -1 begins a chat. A second row with one parent branches off: it
 * begins a child session. Reasoning is stripped from the next turn and the last block may be
 * padded, so a prompt need not contain the output before it.
 *
 * @see <a href="https://github.com/alibaba-edu/qwen-bailian-usagetraces-anon">the traces</a>
 */
final class BailianReader implements TraceReader {
  static final Description DESCRIPTION =
      new Description(
          "16, or as asked for",
          "s",
          "a trailing partial block is included and never a hit",
          "the earliest timestamp is 0",
          "rows along parent_chat_id, whole prompts; each as long after the start of its parent as"
              + " recorded but not before its completion; branches are child sessions");

  private static final long NANOS_PER_S = 1_000_000_000;
  private static final int DEFAULT_BLOCK_SIZE = 16;
  private static final long ROOT = -1;
  private static final int CHAT = 1;
  private static final int PARENT = 1 << 1;
  private static final int STAMP = 1 << 2;
  private static final int INPUT = 1 << 3;
  private static final int OUTPUT = 1 << 4;
  private static final int HASHES = 1 << 5;

  private final TraceAssembler assembler;
  private final NamedPrompts prompts;

  // held back until all parents are known, one element a row
  private final LongColumn chats = new LongColumn();
  private final LongColumn parents = new LongColumn();
  private final LongColumn stamps = new LongColumn();
  private final IntColumn inputs = new IntColumn();
  private final IntColumn outputs = new IntColumn();
  private final IntColumn lines = new IntColumn();
  private final IntColumn files = new IntColumn();
  private final IntColumn hashEnds = new IntColumn();
  private final LongColumn hashFirsts = new LongColumn();
  private final IntColumn hashLengths = new IntColumn();
  private final LongIntMap rowOfChat = new LongIntMap();
  private final HashRuns rowHashes = new HashRuns();

  BailianReader(TraceAssembler assembler, TraceOptions options) {
    this.assembler = assembler;
    prompts = new NamedPrompts(assembler, "hash_ids");
    assembler.blockSize(options.blockSize() > 0 ? options.blockSize() : DEFAULT_BLOCK_SIZE);
    assembler.originAtFirstArrival();
  }

  static boolean recognises(FirstObject object) {
    return object.hasAll("chat_id", "parent_chat_id");
  }

  @Override
  public boolean refusesRepeatedKeys() {
    return true;
  }

  @Override
  public void read(JsonRows rows) {
    while (rows.nextRow()) {
      int seen = 0;
      long chat = 0;
      long parent = ROOT;
      long stamp = Trace.NO_TIME;
      int input = 0;
      int output = 0;
      rowHashes.clear();
      for (String field; (field = rows.nextField()) != null; ) {
        switch (field) {
          case "chat_id" -> {
            seen = rows.once(seen, CHAT, field);
            chat = rows.whole(field, 0, Long.MAX_VALUE);
          }
          case "parent_chat_id" -> {
            seen = rows.once(seen, PARENT, field);
            parent = rows.whole(field, ROOT, Long.MAX_VALUE);
          }
          case "timestamp" -> {
            seen = rows.once(seen, STAMP, field);
            stamp = rows.nanosOrNone(field, NANOS_PER_S, "s");
          }
          case "input_length" -> {
            seen = rows.once(seen, INPUT, field);
            input = (int) rows.whole(field, 1, TraceAssembler.MAX_TOKENS);
          }
          case "output_length" -> {
            seen = rows.once(seen, OUTPUT, field);
            output = (int) rows.whole(field, 0, TraceAssembler.MAX_TOKENS);
          }
          case "hash_ids" -> {
            seen = rows.once(seen, HASHES, field);
            rows.hashes(field, rowHashes);
          }
          default -> rows.skip();
        }
      }
      DraftedRequests.require(rows, (seen & CHAT) != 0, "chat_id");
      DraftedRequests.require(rows, (seen & PARENT) != 0, "parent_chat_id");
      DraftedRequests.require(rows, stamp != Trace.NO_TIME, "timestamp");
      DraftedRequests.require(rows, (seen & INPUT) != 0, "input_length");
      DraftedRequests.require(rows, (seen & OUTPUT) != 0, "output_length");
      prompts.check(rows, input, rowHashes.size());
      hold(rows, chat, parent, stamp, input, output);
    }
  }

  private void hold(JsonRows rows, long chat, long parent, long stamp, int input, int output) {
    int other = rowOfChat.putIfAbsent(chat, chats.size());
    if (other >= 0) {
      throw rows.wrong(
          "chat_id",
          Long.toString(chat),
          "an id that no other row has ("
              + assembler.fileName(files.get(other))
              + ":"
              + lines.get(other)
              + ")");
    }
    if (chats.size() > 0 && stamp < stamps.get(chats.size() - 1)) {
      assembler.count("rows out of time order, sorted");
    }
    chats.add(chat);
    parents.add(parent);
    stamps.add(stamp);
    inputs.add(input);
    outputs.add(output);
    lines.add(rows.rowLine());
    files.add(assembler.lastFile());
    for (int run = 0; run < rowHashes.runs(); run++) {
      hashFirsts.add(rowHashes.first(run));
      hashLengths.add(rowHashes.length(run));
    }
    hashEnds.add(hashFirsts.size());
  }

  @Override
  public int held() {
    return lines.size();
  }

  @Override
  public void finish() {
    int[] parentRow = parentRows();
    int[] depthOrder = parentsFirst(parentRow);
    int[] session = new int[chats.size()];
    int[] request = new int[chats.size()];
    boolean[] continued = new boolean[chats.size()];
    Map<Integer, String> names = new HashMap<>();
    for (int row : depthOrder) {
      int parent = parentRow[row];
      if (parent >= 0 && !continued[parent]) {
        continued[parent] = true;
        session[row] = session[parent];
      } else {
        String name = Long.toString(chats.get(row));
        session[row] = assembler.session(name, lines.get(row), files.get(row));
        names.put(session[row], name);
        if (parent >= 0) {
          assembler.countNote("rows that branch off another one's chat, read as child sessions");
          assembler.parent(session[row], String.valueOf(names.get(session[parent])));
        }
      }
      request[row] = open(row, session[row]);
      if (parent >= 0) {
        follow(request[row], request[parent]);
      }
    }
  }

  /** The row of each row's parent, -1 for none. */
  private int[] parentRows() {
    int[] result = new int[chats.size()];
    for (int row = 0; row < result.length; row++) {
      result[row] = parents.get(row) == ROOT ? -1 : rowOfChat.get(parents.get(row));
      if (parents.get(row) != ROOT && result[row] < 0) {
        assembler.count("rows whose parent is not in the trace, taken as a chat's beginning");
      }
    }
    return result;
  }

  /** The rows by time, each after its parent. */
  private int[] parentsFirst(int[] parentRow) {
    int n = parentRow.length;
    int[] byTime = StableOrder.of(stamps.toArray());
    int[] depth = new int[n];
    Arrays.fill(depth, -1);
    for (int row = 0; row < n; row++) {
      int steps = 0;
      int top = row;
      while (parentRow[top] >= 0 && depth[top] < 0) {
        top = parentRow[top];
        if (++steps > n) {
          throw cycle(top);
        }
      }
      int d = Math.max(0, depth[top]) + steps;
      for (int r = row; r != top; r = parentRow[r]) {
        depth[r] = d--;
      }
      depth[top] = Math.max(0, depth[top]);
    }
    long[] keys = new long[n];
    for (int i = 0; i < n; i++) {
      keys[i] = depth[byTime[i]];
    }
    int[] byDepth = StableOrder.of(keys);
    int[] order = new int[n];
    for (int i = 0; i < n; i++) {
      order[i] = byTime[byDepth[i]];
    }
    return order;
  }

  private TraceException cycle(int row) {
    return new TraceException(
        assembler.fileName(files.get(row)),
        lines.get(row),
        "parent_chat_id",
        parents.get(row) + ", which " + chats.get(row) + " comes before",
        "parents without a cycle");
  }

  private int open(int row, int session) {
    int r = assembler.request(session, lines.get(row), files.get(row));
    assembler.requestId(r, Long.toString(chats.get(row)));
    assembler.input(r, inputs.get(row));
    assembler.output(r, outputs.get(row));
    assembler.arrival(r, stamps.get(row));
    int start = row == 0 ? 0 : hashEnds.get(row - 1);
    rowHashes.clear();
    for (int run = start; run < hashEnds.get(row); run++) {
      rowHashes.add(hashFirsts.get(run), hashLengths.get(run));
    }
    prompts.add(r, rowHashes, null);
    return r;
  }

  private void follow(int r, int parent) {
    long gap = assembler.arrival.get(r) - assembler.arrival.get(parent);
    if (gap < 0) {
      assembler.countAt("turns stamped before the turn they follow", r);
    }
    assembler.countAt(TraceFindings.START_TO_START, r);
    assembler.edge(r, parent, EdgeTrigger.DISPATCH, Math.max(0, gap));
    assembler.edge(r, parent, EdgeTrigger.COMPLETION, 0);
  }
}

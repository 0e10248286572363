package io.orrery.traces;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * TraceLab's session tables for replayers: {@code
 * session_id|id,arrival_time,round_idx,prefix_len,input_len,output_len,tool_wait_after_ms}. {@code
 * input_len} is what a round adds to {@code prefix_len} tokens of the context before.
 *
 * @see <a href="https://github.com/uw-syfi/TraceLab">TraceLab, csv_export</a>
 */
final class SessionRoundsReader implements TraceReader {
  static final Description DESCRIPTION =
      new Description(
          "16, or as asked for: blocks are cut from prefix_len",
          "ms",
          "only full blocks have an identity",
          "arrival_time of a session's first round where there is one, else no clock in common",
          "rounds of a session by round_idx, each tool_wait_after_ms after the completion of the one"
              + " before it; a prompt is prefix_len + input_len, the prefix that of the round before");

  private static final long NANOS_PER_MS = 1_000_000;

  private final TraceAssembler assembler;
  private final GrownPrompts prompts;
  private final List<Round> rounds = new ArrayList<>();
  private boolean anyArrival;

  /** A row, held back until all rounds of its session are known. */
  private static final class Round {
    int line;
    int file;
    @Nullable String session;
    long arrival = Trace.NO_TIME;
    long index = RequestDraft.NONE;
    int prefix;
    int added = RequestDraft.NONE;
    int output = RequestDraft.NONE;
    long waitAfter;
  }

  SessionRoundsReader(TraceAssembler assembler, TraceOptions options) {
    this.assembler = assembler;
    prompts = new GrownPrompts(assembler, options);
  }

  static boolean recognises(FirstObject object) {
    return (object.has("session_id") || object.has("id"))
        && object.hasAll("round_idx", "prefix_len", "input_len", "output_len");
  }

  @Override
  public void read(JsonRows rows) {
    while (rows.nextRow()) {
      Round round = new Round();
      for (String field; (field = rows.nextField()) != null; ) {
        switch (field) {
          case "session_id", "id" -> round.session = rows.idOrNull(field);
          case "arrival_time" -> round.arrival = rows.nanosOrNone(field, NANOS_PER_MS, "ms");
          case "round_idx" ->
              round.index = rows.wholeOr(field, 0, TraceAssembler.MAX_TOKENS, RequestDraft.NONE);
          case "prefix_len" ->
              round.prefix = (int) rows.wholeOr(field, 0, TraceAssembler.MAX_TOKENS, 0);
          case "input_len" ->
              round.added =
                  (int) rows.wholeOr(field, 0, TraceAssembler.MAX_TOKENS, RequestDraft.NONE);
          case "output_len" -> round.output = DraftedRequests.output(rows, field);
          case "tool_wait_after_ms" ->
              round.waitAfter = Math.max(0, rows.nanosOrNone(field, NANOS_PER_MS, "ms"));
          default -> rows.skip();
        }
      }
      hold(rows, round);
    }
  }

  private void hold(JsonRows rows, Round round) {
    DraftedRequests.require(rows, round.session != null, "session_id");
    DraftedRequests.require(rows, round.index != RequestDraft.NONE, "round_idx");
    DraftedRequests.require(rows, round.added != RequestDraft.NONE, "input_len");
    DraftedRequests.require(rows, round.output != RequestDraft.NONE, "output_len");
    long input = (long) round.prefix + round.added;
    if (input < 1 || input > TraceAssembler.MAX_TOKENS) {
      throw rows.wrong(
          "input_len",
          input + " tokens with prefix_len",
          "1 to " + TraceAssembler.MAX_TOKENS + " tokens");
    }
    round.line = rows.rowLine();
    round.file = assembler.lastFile();
    anyArrival |= round.arrival != Trace.NO_TIME;
    rounds.add(round);
  }

  @Override
  public int held() {
    return rounds.size();
  }

  @Override
  public void finish() {
    if (anyArrival) {
      assembler.originAtFirstArrival();
    } else {
      assembler.sharedClock(false);
    }
    // Opened in file order of their first rounds, each session's rounds by index.
    TextIndex sessions = new TextIndex();
    List<List<Round>> bySession = new ArrayList<>();
    for (Round round : rounds) {
      int s = sessions.add(String.valueOf(round.session));
      if (s == bySession.size()) {
        bySession.add(new ArrayList<>());
      }
      bySession.get(s).add(round);
    }
    for (List<Round> session : bySession) {
      boolean sorted = true;
      for (int i = 1; i < session.size(); i++) {
        sorted &= session.get(i - 1).index <= session.get(i).index;
      }
      if (!sorted) {
        assembler.count("sessions with rounds out of order, sorted");
        session.sort(Comparator.comparingLong(round -> round.index));
      }
      open(session);
    }
  }

  private void open(List<Round> session) {
    int before = -1;
    long wait = 0;
    for (Round round : session) {
      int s = assembler.session(String.valueOf(round.session), round.line, round.file);
      int r = assembler.request(s, round.line, round.file);
      assembler.input(r, round.prefix + round.added);
      assembler.output(r, round.output);
      if (before >= 0) {
        assembler.edge(r, before, EdgeTrigger.COMPLETION, wait);
      } else {
        assembler.arrival(r, start(round));
      }
      prompts.add(r, before, round.prefix);
      before = r;
      wait = round.waitAfter;
    }
  }

  private long start(Round round) {
    if (!anyArrival) {
      return 0;
    }
    if (round.arrival == Trace.NO_TIME) {
      throw new TraceException(
          assembler.fileName(round.file),
          round.line,
          "arrival_time",
          "nothing",
          "a time in ms in each session's first round, or in none");
    }
    return round.arrival;
  }
}

package io.orrery.traces;

import io.orrery.traces.columns.IntColumn;
import io.orrery.traces.columns.LongColumn;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Collects sessions, requests and edges in file order and turns them into a {@link Trace}. Readers
 * and the public builder sit on top of it. A request's blocks must be given before the next request
 * is opened.
 */
final class TraceAssembler {
  /** The largest token count: the sum of two of them is an int. */
  static final int MAX_TOKENS = 1_000_000_000;

  private int blockSize;
  private boolean sharedClock = true;
  private boolean turnsByArrival;
  private boolean originAtFirstArrival;

  private final BlockIds blockIds = new BlockIds();
  private final List<BlockNames> namespaces = new ArrayList<>();
  private final BlockNames names = newNames();
  final RunColumn runs = new RunColumn();

  // per request, in file order
  final IntColumn session = new IntColumn();
  final IntColumn input = new IntColumn();
  final IntColumn output = new IntColumn();
  final IntColumn given = new IntColumn();
  final IntColumn runStart = new IntColumn();
  final IntColumn promptRunEnd = new IntColumn();
  final IntColumn previous = new IntColumn();
  final LongColumn arrival = new LongColumn();
  final SparseColumn priority = new SparseColumn(0);
  final SparseColumn ttft = new SparseColumn(Trace.NO_TIME);
  final SparseColumn total = new SparseColumn(Trace.NO_TIME);
  final SparseColumn cached = new SparseColumn(-1);
  final LabelColumn model = new LabelColumn();
  final LabelColumn adapter = new LabelColumn();
  final LabelColumn worker = new LabelColumn();
  final LabelColumn finishReason = new LabelColumn();
  final LabelColumn tools = new LabelColumn();
  final SparseColumn requestText = new SparseColumn(-1);
  final TextIndex requestIds = new TextIndex();
  private final IntColumn requestOfText = new IntColumn();
  private final IntColumn requestLine = new IntColumn();
  private final IntColumn requestFile = new IntColumn();

  // per session, in the order of opening
  final SessionTable sessions = new SessionTable(this);

  final EdgeTable edges = new EdgeTable(this);

  private final List<String> files = new ArrayList<>();
  private final TraceFindings findings = new TraceFindings();

  /** Renamed blocks whose place has been noted. */
  private int forksCounted;

  private final List<String> notes = new ArrayList<>();
  private @Nullable JsonRows reading;
  private boolean blocksKnown;

  /** The block size must be given later. */
  TraceAssembler() {}

  TraceAssembler(int blockSize) {
    blockSize(blockSize);
  }

  /** Tokens per block. */
  void blockSize(int tokens) {
    if (tokens < 1 || tokens > MAX_TOKENS) {
      throw new TraceException(
          null, 0, "block size", Integer.toString(tokens), "1 to " + MAX_TOKENS + " tokens");
    }
    blockSize = tokens;
  }

  int blockSize() {
    return blockSize;
  }

  void sharedClock(boolean shared) {
    sharedClock = shared;
  }

  /** A session's turns are numbered by arrival; without this call, in file order. */
  void turnsByArrival() {
    turnsByArrival = true;
  }

  /** The earliest arrival becomes 0. */
  void originAtFirstArrival() {
    originAtFirstArrival = true;
  }

  /** Sessions and requests opened from now on are from this file. */
  void file(String name) {
    files.add(name);
  }

  /** Quirks are found in these rows from now on; null where no file is being read. */
  void reading(@Nullable JsonRows rows) {
    reading = rows;
  }

  TraceFindings findings() {
    return findings;
  }

  /** Counts something odd that is accepted. */
  void count(String quirk) {
    count(quirk, 1);
  }

  void count(String quirk, long times) {
    finding(TraceFinding.Severity.WARNING, quirk, times);
  }

  /** Counts something odd about a request, wherever the reader is by now. */
  void countAt(String quirk, int request) {
    countAt(quirk, fileOf(request), lineOf(request));
  }

  void countAt(String quirk, @Nullable String file, int line) {
    findings.quirk(TraceFinding.Severity.WARNING, quirk, 1, file, line);
  }

  /** Counts something that is as it should be, but that one might ask about. */
  void countNote(String what) {
    finding(TraceFinding.Severity.NOTE, what, 1);
  }

  private void finding(TraceFinding.Severity severity, String what, long times) {
    if (times > 0) {
      JsonRows rows = reading;
      findings.quirk(
          severity,
          what,
          times,
          rows == null ? null : rows.file(),
          rows == null ? 0 : rows.rowLine());
    }
  }

  /** Says that a prompt's blocks are known, even if it has none. */
  void blocksKnown() {
    blocksKnown = true;
  }

  boolean areBlocksKnown() {
    return blocksKnown;
  }

  /** Whatever has been added so far: changes with every session and request. */
  long size() {
    return session.size() + (long) sessions.count() + edges.count();
  }

  void note(String sentence) {
    if (!notes.contains(sentence)) {
      notes.add(sentence);
    }
  }

  /** Names of blocks in a namespace of their own. */
  BlockNames newNames() {
    BlockNames made = new BlockNames();
    namespaces.add(made);
    return made;
  }

  BlockIds blockIds() {
    return blockIds;
  }

  int requestCount() {
    return session.size();
  }

  /** The session with this id, opened if it is new. */
  int session(String id, int line) {
    return sessions.open(id, fileIndex(), line);
  }

  /** A session whose id is generated. */
  int session(int line) {
    return sessions.open(null, fileIndex(), line);
  }

  /** As {@link #session(String, int)}, for a line of an earlier file. */
  int session(String id, int line, int file) {
    return sessions.open(id, file, line);
  }

  /** A session whose id is generated, for a line of an earlier file. */
  int session(int line, int file) {
    return sessions.open(null, file, line);
  }

  /** Number of the file being read. */
  int lastFile() {
    return fileIndex();
  }

  /** Names the session's parent, which may be opened later. */
  void parent(int child, String parentId) {
    sessions.parent(child, parentId);
  }

  /** Opens a request of one input and one output token, without blocks, arrival and edges. */
  int request(int ofSession, int line) {
    return request(ofSession, line, fileIndex());
  }

  /** As {@link #request(int, int)}, for a line of an earlier file. */
  int request(int ofSession, int line, int file) {
    int request = session.size();
    session.add(ofSession);
    input.add(1);
    output.add(1);
    given.add(0);
    runStart.add(runs.size());
    promptRunEnd.add(runs.size());
    previous.add(sessions.appendRequest(ofSession, request));
    arrival.add(Trace.NO_TIME);
    requestLine.add(line);
    requestFile.add(file);
    return request;
  }

  void requestId(int request, String id) {
    int before = requestIds.size();
    int text = requestIds.add(id);
    if (text < before) {
      int other = requestOfText.get(text);
      String where = lineOf(other) > 0 ? " (" + fileOf(other) + ":" + lineOf(other) + ")" : "";
      throw wrong(request, "request_id", '"' + id + '"', "an id that no other request has" + where);
    }
    requestOfText.add(request);
    requestText.set(request, text);
  }

  /** The request with this id, -1 if there is none. */
  int requestWithId(String id) {
    int text = requestIds.find(id);
    return text < 0 ? -1 : requestOfText.get(text);
  }

  void input(int request, int tokens) {
    if (tokens < 1 || tokens > MAX_TOKENS) {
      throw wrong(request, "input", Integer.toString(tokens), "1 to " + MAX_TOKENS + " tokens");
    }
    input.set(request, tokens);
  }

  void output(int request, int tokens) {
    if (tokens < 0 || tokens > MAX_TOKENS) {
      throw wrong(request, "output", Integer.toString(tokens), "0 to " + MAX_TOKENS + " tokens");
    }
    if (tokens == 0) {
      count("requests without output, replayed as one token");
    }
    output.set(request, Math.max(1, tokens));
  }

  void arrival(int request, long nanos) {
    if (nanos < 0) {
      throw wrong(request, "arrival", Long.toString(nanos), "a time of at least 0 ns");
    }
    arrival.set(request, nanos);
  }

  void priority(int request, int value) {
    priority.set(request, value);
  }

  /** The prompt's hashes, in the one namespace of the whole trace. */
  void prompt(int request, long[] hashes) {
    if (given.get(request) > 0) {
      throw wrong(request, "blocks", "a second list", "one list of blocks per request");
    }
    HashRuns list = new HashRuns();
    for (long hash : hashes) {
      list.add(hash);
    }
    runs.startList();
    blockIds.internAll(names, list, 0, hashes.length, BlockIds.NONE, runs);
    promptEnd(request, hashes.length);
  }

  /** Says that the runs added since the request was opened are its prompt's. */
  void promptEnd(int request, int blocks) {
    blocksKnown = true;
    given.set(request, blocks);
    for (; forksCounted < blockIds.forked(); forksCounted++) {
      countAt("blocks renamed because different blocks precede them", request);
    }
    promptRunEnd.set(request, runs.size());
  }

  /** A delay of at least 0 ns after something in another request. */
  void edge(int to, int from, EdgeTrigger trigger, long delayNanos) {
    edges.add(to, from, trigger, delayNanos);
  }

  void edge(int to, String fromId, EdgeTrigger trigger, long delayNanos) {
    edges.add(to, fromId, trigger, delayNanos);
  }

  /** The request before this one in its session in file order, -1 if there is none. */
  int previousInSession(int request) {
    return previous.get(request);
  }

  /** Full prompt blocks with an identity. */
  int identified(int request) {
    return Math.min(given.get(request), input.get(request) / blockSize);
  }

  boolean isSharedClock() {
    return sharedClock;
  }

  boolean isTurnsByArrival() {
    return turnsByArrival;
  }

  /** End (exclusive) of the request's runs, recorded completion blocks included. */
  int runEnd(int request) {
    return request + 1 < runStart.size() ? runStart.get(request + 1) : runs.size();
  }

  /**
   * What has been collected, checked as a whole.
   *
   * @throws TraceException on anything that does not make sense
   */
  TraceAssembly assembled(TraceProvenance template) {
    if (requestCount() == 0) {
      throw new TraceException(null, 0, null, "no requests", "at least one request");
    }
    checkRequests();
    if (originAtFirstArrival) {
      shiftArrivals();
    }
    count("blocks renamed because different blocks precede them", blockIds.forked() - forksCounted);
    return new TraceAssembly(this, provenance(template));
  }

  /** Gives up the names of blocks; there will be no more of them. */
  void releaseNames() {
    namespaces.forEach(BlockNames::release);
    namespaces.clear();
    blockIds.release();
  }

  /** Gives up what the blocks of requests do not need, which must have been copied. */
  void releaseRequests() {
    for (IntColumn column : List.of(session, output, previous, requestLine, requestFile)) {
      column.release();
    }
    arrival.release();
  }

  /** Gives up the requests' blocks, which must have been copied. */
  void releaseBlocks() {
    for (IntColumn column : List.of(input, given, runStart, promptRunEnd)) {
      column.release();
    }
    runs.release();
  }

  TraceException wrong(int request, String field, String value, String expected) {
    String id =
        requestText.get(request) >= 0
            ? "request \"" + requestIds.get((int) requestText.get(request)) + "\" " + field
            : field;
    return new TraceException(fileOf(request), lineOf(request), id, value, expected);
  }

  @Nullable String fileName(int file) {
    return file < 0 ? null : files.get(file);
  }

  private int fileIndex() {
    return files.size() - 1;
  }

  private @Nullable String fileOf(int request) {
    return fileName(requestFile.get(request));
  }

  private int lineOf(int request) {
    return requestLine.get(request);
  }

  private void checkRequests() {
    for (int r = 0; r < requestCount(); r++) {
      int most = (input.get(r) + blockSize - 1) / blockSize;
      if (given.get(r) > most) {
        throw wrong(
            r,
            "blocks",
            given.get(r) + " hashes",
            "at most " + most + " for " + input.get(r) + " input tokens in blocks of " + blockSize);
      }
      if (arrival.get(r) == Trace.NO_TIME && !edges.has(r)) {
        throw wrong(r, "arrival", "no time", "a start time, or a request to wait for");
      }
    }
  }

  private void shiftArrivals() {
    long first = Long.MAX_VALUE;
    for (int r = 0; r < requestCount(); r++) {
      if (arrival.get(r) != Trace.NO_TIME) {
        first = Math.min(first, arrival.get(r));
      }
    }
    for (int r = 0; r < requestCount(); r++) {
      if (arrival.get(r) != Trace.NO_TIME) {
        arrival.set(r, arrival.get(r) - first);
      }
    }
  }

  private TraceProvenance provenance(TraceProvenance template) {
    return new TraceProvenance(
        template.format(),
        template.files(),
        blockSize,
        template.timeUnit(),
        template.partialBlockRule(),
        template.timeBasis(),
        template.turnSemantics(),
        findings.counters(),
        notes);
  }
}

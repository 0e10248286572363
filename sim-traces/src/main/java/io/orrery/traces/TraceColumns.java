package io.orrery.traces;

import io.orrery.traces.columns.IntColumn;
import io.orrery.traces.columns.LongColumn;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The columns behind a {@link Trace}; nobody writes to them once it exists. Nullable columns are
 * absent as a whole.
 */
final class TraceColumns {
  final int blockSize;
  final long blockCount;
  final boolean sharedClock;
  final TraceProvenance provenance;

  // per request
  IntColumn session = new IntColumn();
  IntColumn turn = new IntColumn();
  IntColumn input = new IntColumn();
  IntColumn output = new IntColumn();
  IntColumn identified = new IntColumn();
  IntColumn named = new IntColumn();
  LongColumn arrival = new LongColumn();
  @Nullable IntColumn priority;
  @Nullable IntColumn partial;
  @Nullable IntColumn cached;
  @Nullable LongColumn ttft;
  @Nullable LongColumn total;

  LabelColumn.Labels model = LabelColumn.Labels.NONE;
  LabelColumn.Labels adapter = LabelColumn.Labels.NONE;
  LabelColumn.Labels worker = LabelColumn.Labels.NONE;
  LabelColumn.Labels finishReason = LabelColumn.Labels.NONE;
  LabelColumn.Labels tools = LabelColumn.Labels.NONE;
  boolean blocksKnown = true;

  /** Index into {@link #requestIds}, -1 for a generated id. */
  @Nullable IntColumn requestText;

  TextColumn requestIds = new TextColumn();

  // runs; runStart and edgeStart have one element more than there are requests
  IntColumn runStart = IntColumn.of(0);
  IntColumn promptRunEnd = new IntColumn();
  IntColumn runFirst = new IntColumn();
  IntColumn runLength = new IntColumn();

  // edges; a negative delay d codes DISPATCH with delay ~d
  IntColumn edgeStart = IntColumn.of(0);
  IntColumn edgeFrom = new IntColumn();
  LongColumn edgeDelay = new LongColumn();

  // per session; sessionStart has one element more than there are sessions
  IntColumn parent = new IntColumn();
  IntColumn root = new IntColumn();
  IntColumn sessionStart = IntColumn.of(0);
  IntColumn sessionRequests = new IntColumn();

  /** Index into {@link #sessionIds}, -1 for a generated id. */
  @Nullable IntColumn sessionText;

  TextColumn sessionIds = new TextColumn();

  TraceColumns(int blockSize, long blockCount, boolean sharedClock, TraceProvenance provenance) {
    this.blockSize = blockSize;
    this.blockCount = blockCount;
    this.sharedClock = sharedClock;
    this.provenance = provenance;
  }

  /**
   * Lists each session's requests by turn.
   *
   * <p>{@link #session} and {@link #turn} must be known, and {@link #sessionStart} hold at s + 1
   * how many requests session s has; it then holds where the list of session s begins.
   */
  void listSessions() {
    for (int s = 0; s + 1 < sessionStart.size(); s++) {
      sessionStart.increase(s + 1, sessionStart.get(s));
    }
    sessionRequests = IntColumn.filled(session.size(), 0);
    for (int r = 0; r < session.size(); r++) {
      sessionRequests.set(sessionStart.get(session.get(r)) + turn.get(r), r);
    }
  }

  /** Gives back what the columns hold beyond their values. */
  TraceColumns trimmed() {
    for (IntColumn column :
        List.of(session, turn, input, output, identified, named, runStart, promptRunEnd)) {
      column.trimmed();
    }
    for (IntColumn column : List.of(runFirst, runLength, edgeStart, edgeFrom)) {
      column.trimmed();
    }
    arrival.trimmed();
    edgeDelay.trimmed();
    return this;
  }

  /** The same columns, some of which may then be replaced, under another provenance. */
  TraceColumns under(TraceProvenance newProvenance) {
    TraceColumns copy = new TraceColumns(blockSize, blockCount, sharedClock, newProvenance);
    copy.session = session;
    copy.turn = turn;
    copy.input = input;
    copy.output = output;
    copy.identified = identified;
    copy.named = named;
    copy.arrival = arrival;
    copy.priority = priority;
    copy.partial = partial;
    copy.cached = cached;
    copy.ttft = ttft;
    copy.total = total;
    copy.model = model;
    copy.adapter = adapter;
    copy.worker = worker;
    copy.finishReason = finishReason;
    copy.tools = tools;
    copy.blocksKnown = blocksKnown;
    copy.requestText = requestText;
    copy.requestIds = requestIds;
    copy.runStart = runStart;
    copy.promptRunEnd = promptRunEnd;
    copy.runFirst = runFirst;
    copy.runLength = runLength;
    copy.edgeStart = edgeStart;
    copy.edgeFrom = edgeFrom;
    copy.edgeDelay = edgeDelay;
    copy.parent = parent;
    copy.root = root;
    copy.sessionStart = sessionStart;
    copy.sessionRequests = sessionRequests;
    copy.sessionText = sessionText;
    copy.sessionIds = sessionIds;
    return copy;
  }
}

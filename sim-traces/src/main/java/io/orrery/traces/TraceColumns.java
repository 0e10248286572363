package io.orrery.traces;

import org.jspecify.annotations.Nullable;

/**
 * The arrays behind a {@link Trace}; nobody writes to them once it exists. Nullable columns are
 * absent as a whole.
 */
final class TraceColumns {
  final int blockSize;
  final long blockCount;
  final boolean sharedClock;
  final TraceProvenance provenance;

  // per request
  int[] session = {};
  int[] turn = {};
  int[] input = {};
  int[] output = {};
  int[] identified = {};
  int[] named = {};
  long[] arrival = {};
  int @Nullable [] priority;
  int @Nullable [] partial;
  int @Nullable [] cached;
  long @Nullable [] ttft;
  long @Nullable [] total;

  LabelColumn.Labels model = LabelColumn.Labels.NONE;
  LabelColumn.Labels adapter = LabelColumn.Labels.NONE;
  LabelColumn.Labels worker = LabelColumn.Labels.NONE;
  LabelColumn.Labels finishReason = LabelColumn.Labels.NONE;
  LabelColumn.Labels tools = LabelColumn.Labels.NONE;
  boolean blocksKnown = true;

  /** Index into {@link #requestIds}, -1 for a generated id. */
  int @Nullable [] requestText;

  TextColumn requestIds = new TextColumn();

  // runs; runStart and edgeStart have one element more than there are requests
  int[] runStart = {0};
  int[] promptRunEnd = {};
  int[] runFirst = {};
  int[] runLength = {};

  // edges; a negative delay d codes DISPATCH with delay ~d
  int[] edgeStart = {0};
  int[] edgeFrom = {};
  long[] edgeDelay = {};

  // per session; sessionStart has one element more than there are sessions
  int[] parent = {};
  int[] root = {};
  int[] sessionStart = {0};
  int[] sessionRequests = {};

  /** Index into {@link #sessionIds}, -1 for a generated id. */
  int @Nullable [] sessionText;

  TextColumn sessionIds = new TextColumn();

  TraceColumns(int blockSize, long blockCount, boolean sharedClock, TraceProvenance provenance) {
    this.blockSize = blockSize;
    this.blockCount = blockCount;
    this.sharedClock = sharedClock;
    this.provenance = provenance;
  }

  /** The same arrays, some of which may then be replaced, under another provenance. */
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

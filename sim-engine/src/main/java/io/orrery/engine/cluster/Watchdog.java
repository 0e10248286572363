package io.orrery.engine.cluster;

import io.orrery.engine.NoProgressException;
import io.orrery.engine.RequestState;
import io.orrery.engine.record.RunColumns;
import io.orrery.traces.Trace;
import java.util.Locale;

/**
 * Notices runs that would never end. With priority scheduling, two requests that arrived at one
 * instant with one priority can preempt each other for ever, in vLLM as here: each takes the
 * other's blocks before either has got a token. And when nothing is left to happen, every request
 * that was sent must have ended.
 */
final class Watchdog {
  /**
   * Preemptions of one request between which neither it got a token nor any request of the cluster
   * ended. A request that merely starves is preempted at most once for each block that the others
   * take until one of them ends.
   */
  static final int MOST_FRUITLESS_PREEMPTIONS = 200_000;

  private final Trace trace;
  private final RunColumns columns;

  Watchdog(Trace trace, RunColumns columns) {
    this.trace = trace;
    this.columns = columns;
  }

  /**
   * A request was preempted.
   *
   * @param ended requests of the cluster that have ended by now
   * @throws NoProgressException if that leads nowhere
   */
  void preempted(ActiveRequest request, long ended, long now) {
    if (request.outputs != request.outputsWhenPreempted || ended != request.endedWhenPreempted) {
      request.outputsWhenPreempted = request.outputs;
      request.endedWhenPreempted = ended;
      request.fruitlessPreemptions = 0;
    }
    if (++request.fruitlessPreemptions > MOST_FRUITLESS_PREEMPTIONS) {
      throw new NoProgressException(
          "request "
              + id(request.request)
              + " on worker "
              + columns.worker(request.request)
              + " was preempted "
              + MOST_FRUITLESS_PREEMPTIONS
              + " times without getting a token, at "
              + now
              + " ns: requests take each other's KV blocks for ever, as vLLM's priority scheduling does"
              + " with requests of one priority that arrived together; give them more blocks"
              + " (engine.kvBlocks), other priorities, or engine.schedulingPolicy fcfs");
    }
  }

  /**
   * Nothing is left to happen.
   *
   * @throws NoProgressException if a request that was sent has not ended
   */
  void everythingHasEnded(long now) {
    int open = 0;
    int first = -1;
    for (int row = 0; row < columns.rows(); row++) {
      if (columns.dispatched(row) && !columns.state(row).isTerminal()) {
        first = open++ == 0 ? row : first;
      }
    }
    if (open > 0) {
      RequestState state = columns.state(first);
      throw new NoProgressException(
          "request "
              + id(first)
              + " waits for ever: it is "
              + state.name().toLowerCase(Locale.ROOT)
              + (columns.worker(first) < 0 ? "" : " on worker " + columns.worker(first))
              + (open == 1 ? "" : ", " + (open - 1) + " more requests are open,")
              + " and after "
              + now
              + " ns nothing is left to happen");
    }
  }

  private String id(int row) {
    return trace.requestId(columns.request(row));
  }
}

package io.orrery.traces.synthesis;

import java.util.List;

/**
 * A session that a request of another session starts.
 *
 * @param launcher index of the request in the parent session
 * @param launchMillis from the launcher's end to the first call's start
 * @param background whether the parent goes on at once; else it waits for the end
 * @param calls the requests, at least one
 */
record SubAgent(
    int launcher,
    long launchMillis,
    boolean background,
    SharedPrefix prefix,
    List<AgentCall> calls) {
  /** From the first call's start to the last one's end. */
  long durationMillis() {
    return calls.stream().mapToLong(call -> call.waitMillis() + call.serviceMillis()).sum();
  }
}

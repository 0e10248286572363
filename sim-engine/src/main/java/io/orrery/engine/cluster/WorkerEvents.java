package io.orrery.engine.cluster;

import io.orrery.engine.RequestState;

/** What a worker, named by its id, tells the simulation. */
interface WorkerEvents {
  /** Asks for a STEP_END event at {@code time}, and not when it was to come before. */
  void wake(int worker, long time);

  /** Asks for no STEP_END event. */
  void letSleep(int worker);

  /** Asks for what the other workers have scheduled by now. */
  void catchUpOthers(int worker, long now);

  void firstScheduled(ActiveRequest request, long now);

  void resumed(ActiveRequest request, int redoneTokens, long now);

  void preempted(ActiveRequest request, long now);

  void firstToken(ActiveRequest request, int worker, long now);

  void secondToken(ActiveRequest request, long now);

  /** It finished, or failed for want of memory. */
  void ended(ActiveRequest request, int worker, RequestState how, long now);
}

package io.orrery.engine.clock;

/**
 * What kinds of events happen first at one instant. Step starts are no events: they come last, when
 * nothing more happens at the instant, so that everything dispatched then can join the step.
 */
public enum Phase {
  STEP_END,
  TRANSFER_END,
  INDEX_UPDATE,
  WORKER_CHANGE,
  WORKER_ARRIVAL,
  DISPATCH,
  ADMISSION_TICK,
  TELEMETRY,
  SCALING
}

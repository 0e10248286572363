package io.orrery.traces;

/** What a request waits for in another request before its delay starts to run. */
public enum EdgeTrigger {
  /** The other request has produced its last token. */
  COMPLETION,
  /** The other request has been sent by its client. */
  DISPATCH
}

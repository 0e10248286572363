package io.orrery.engine.policy;

import java.util.Locale;

/** What a policy decides. */
public enum PolicyKind {
  /** Which worker gets a request. */
  ROUTING,
  /** Whether a request may go to a worker now. */
  ADMISSION;

  /** The section of a scenario that names the policy: {@code routing}, {@code admission}. */
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }
}

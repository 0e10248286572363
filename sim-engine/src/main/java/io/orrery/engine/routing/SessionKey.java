package io.orrery.engine.routing;

import io.orrery.engine.policy.PolicyParameter;
import java.util.List;

/** Whose requests stay together: each session's, or those of a session and its children. */
enum SessionKey {
  /** Every session for itself. */
  OWN,
  /** A child session goes where its parent does. */
  PARENT;

  static final PolicyParameter PARAMETER =
      PolicyParameter.choice(
          "children",
          "own",
          List.of("own", "parent"),
          "Where a child session goes: its own way, or where its parent goes.");

  static SessionKey of(RoutingContext context) {
    return context.text(PARAMETER.name()).equals("own") ? OWN : PARENT;
  }

  /** A number for the group of sessions that {@code request} belongs to. */
  int of(RoutedRequest request) {
    return this == PARENT && request.parentSession() >= 0
        ? request.parentSession()
        : request.session();
  }
}

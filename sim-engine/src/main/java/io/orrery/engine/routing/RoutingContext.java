package io.orrery.engine.routing;

import io.orrery.engine.Draws;

/** What a policy is built with. */
public interface RoutingContext {
  /** Workers of the cluster; ids are below this number. */
  int workers();

  /** Tokens in a KV block. */
  int blockSize();

  /** The value of a declared parameter: what the scenario gives, else its default. */
  double number(String parameter);

  /** The value of a declared parameter, in nanoseconds. */
  long nanos(String parameter);

  /** The value of a declared parameter. */
  String text(String parameter);

  /** Random draws for the decision called {@code source}. */
  Draws draws(String source);

  /** The router's index. It is kept up only if some policy asks for it here. */
  PrefixBeliefs beliefs();
}

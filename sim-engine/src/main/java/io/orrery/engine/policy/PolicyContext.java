package io.orrery.engine.policy;

import io.orrery.engine.Draws;

/** What every policy is built with. */
public interface PolicyContext {
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
}

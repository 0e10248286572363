package io.orrery.models;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a step time model is compiled from.
 *
 * @param deployment the worker
 * @param catalog where presets are looked up
 * @param maxBatchedTokens largest number of new tokens in a usual pass
 * @param parameters the kind's own parameters by name, as written by the user; what is absent has
 *     its default
 * @param profile what replaces the shipped host costs and kernels, for the kinds that have any;
 *     null for nothing
 */
public record StepTimeSetup(
    Deployment deployment,
    Catalog catalog,
    int maxBatchedTokens,
    Map<String, String> parameters,
    @Nullable StepTimeProfile profile) {

  /** A setup that replaces nothing. */
  public StepTimeSetup(
      Deployment deployment,
      Catalog catalog,
      int maxBatchedTokens,
      Map<String, String> parameters) {
    this(deployment, catalog, maxBatchedTokens, parameters, null);
  }

  /** The parameter's number, or the default if it is absent. */
  public double number(String parameter, double byDefault) {
    String text = parameters.get(parameter);
    if (text == null) {
      return byDefault;
    }
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          parameter + ": found '" + text + "', expected a number", e);
    }
  }

  /**
   * The parameter's truth value, or the default if it is absent.
   *
   * @throws IllegalArgumentException if it is neither true nor false
   */
  public boolean flag(String parameter, boolean byDefault) {
    String text = parameters.get(parameter);
    if (text == null) {
      return byDefault;
    }
    if (!text.equals("true") && !text.equals("false")) {
      throw new IllegalArgumentException(
          parameter + ": found '" + text + "', expected true or false");
    }
    return text.equals("true");
  }

  /** The parameter's text, or the default if it is absent. */
  public String text(String parameter, String byDefault) {
    return parameters.getOrDefault(parameter, byDefault);
  }
}

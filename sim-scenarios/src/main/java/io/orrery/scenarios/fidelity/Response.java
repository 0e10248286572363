package io.orrery.scenarios.fidelity;

import io.orrery.models.HostCosts;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * How a run answers to its host constants, to first order: what the engine tells at a base, and by
 * how much each constant moves it, from one run of the engine each.
 *
 * <p>In a closed loop this is nearly exact, not only near the base: who is in which step does not
 * depend on how long steps last, so that every time is a sum of steps, and steps are linear in the
 * constants. What bends it is the host's time of a request, which lets a seat stay empty, and
 * memory that runs out.
 *
 * @param base the constants
 * @param told what the engine tells with them
 * @param ttft change of the time to first token per unit of every constant
 * @param tpot change of the time per output token
 */
record Response(HostCosts base, Told told, double[] ttft, double[] tpot) {

  /** Runs the engine once for the base and once for every constant. */
  static Response of(HostCosts base, Function<HostCosts, Told> engine) {
    return ofParts(base, engine, 1, (told, part) -> told).get(0);
  }

  /**
   * Runs the engine once for the base and once for every constant, and answers for parts of a run.
   *
   * @param parts how many
   * @param part what a run tells of a part
   */
  static <R> List<Response> ofParts(
      HostCosts base, Function<HostCosts, R> engine, int parts, BiFunction<R, Integer, Told> part) {
    HostConstant[] constants = HostConstant.values();
    R told = engine.apply(base);
    List<Response> responses = new ArrayList<>();
    for (int p = 0; p < parts; p++) {
      responses.add(
          new Response(
              base,
              part.apply(told, p),
              new double[constants.length],
              new double[constants.length]));
    }
    for (HostConstant constant : constants) {
      R moved = engine.apply(constant.in(base, constant.of(base) + constant.step()));
      for (int p = 0; p < parts; p++) {
        responses.get(p).note(constant, part.apply(moved, p));
      }
    }
    return responses;
  }

  private void note(HostConstant constant, Told moved) {
    int i = constant.ordinal();
    ttft[i] = (moved.ttftMillis() - told.ttftMillis()) / constant.step();
    tpot[i] = (moved.tpotMillis() - told.tpotMillis()) / constant.step();
  }

  /** Time to first token in ms with constants in the order of {@link HostConstant}. */
  double ttftMillis(double[] constants) {
    return told.ttftMillis() + moved(ttft, constants);
  }

  /** Time per output token in ms. */
  double tpotMillis(double[] constants) {
    return told.tpotMillis() + moved(tpot, constants);
  }

  private double moved(double[] slopes, double[] constants) {
    double sum = 0;
    for (HostConstant constant : HostConstant.values()) {
      int i = constant.ordinal();
      sum += slopes[i] * (constants[i] - constant.of(base));
    }
    return sum;
  }
}

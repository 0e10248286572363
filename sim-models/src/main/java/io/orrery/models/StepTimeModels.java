package io.orrery.models;

import io.orrery.models.kernels.KernelSources;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * The kinds of step time models by name. One line here adds one; a kind compiles itself from a
 * {@link StepTimeSetup} and declares the parameters that it takes.
 */
public final class StepTimeModels {
  private static final Map<String, Kind> KINDS = new LinkedHashMap<>();

  static {
    register("polynomial", StepTimeModels::polynomial, "preset", "speedup", "decodeSpeedup");
    register("roofline", StepTimeModels::roofline, "hostMicrosPerStep", "hostOverlap");
    String[] sums = {
      "kernels",
      "experts",
      "expertKernels",
      "linkBytesPerSecond",
      "linkLatencyMicros",
      "host",
      "hostOverlap"
    };
    register("law", KernelSources::law, sums);
    String[] tables = Arrays.copyOf(sums, sums.length + 1);
    tables[sums.length] = "perfData";
    register("table", KernelSources::table, tables);
  }

  private StepTimeModels() {}

  private record Kind(Function<StepTimeSetup, StepTimeModel> compiler, List<String> parameters) {}

  private static void register(
      String name, Function<StepTimeSetup, StepTimeModel> compiler, String... parameters) {
    KINDS.put(name, new Kind(compiler, List.of(parameters)));
  }

  /** The names of all kinds. */
  public static Set<String> names() {
    return Collections.unmodifiableSet(KINDS.keySet());
  }

  /** The parameters that a kind takes. */
  public static List<String> parameters(String name) {
    return kind(name).parameters();
  }

  /**
   * Compiles a step time model.
   *
   * @param name the kind, one of {@link #names()}
   * @param setup worker and parameters
   * @throws IllegalArgumentException if there is no such kind or parameter, or a value is wrong
   */
  public static StepTimeModel compile(String name, StepTimeSetup setup) {
    Kind kind = kind(name);
    for (String parameter : setup.parameters().keySet()) {
      if (!kind.parameters().contains(parameter)) {
        throw new IllegalArgumentException(
            Names.unknown(name + " parameter", parameter, kind.parameters()));
      }
    }
    return kind.compiler().apply(setup);
  }

  private static Kind kind(String name) {
    Kind kind = KINDS.get(name);
    if (kind == null) {
      throw new IllegalArgumentException(Names.unknown("step time model", name, KINDS.keySet()));
    }
    return kind;
  }

  private static StepTimeModel polynomial(StepTimeSetup setup) {
    String newest = setup.catalog().polynomialNames().stream().reduce((a, b) -> b).orElseThrow();
    return new PolynomialStepTime(
        setup.catalog().polynomial(setup.text("preset", newest)),
        setup.number("speedup", 1),
        setup.number("decodeSpeedup", 1));
  }

  private static StepTimeModel roofline(StepTimeSetup setup) {
    return new RooflineStepTime(
        setup.deployment(),
        setup.maxBatchedTokens(),
        1e3 * setup.number("hostMicrosPerStep", 0),
        setup.flag("hostOverlap", false));
  }
}

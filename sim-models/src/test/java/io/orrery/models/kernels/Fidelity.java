package io.orrery.models.kernels;

import io.orrery.models.Catalog;
import io.orrery.models.Deployment;
import io.orrery.models.Gpu;
import io.orrery.models.HostCosts;
import io.orrery.models.ModelArchitecture;
import io.orrery.models.Precision;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Measured closed-loop configurations beside the closed form over sums of operators: what kernels
 * say, and what three host constants per engine add when they are fitted on other rows.
 */
final class Fidelity {
  /** Beyond it, runs of the source are saturated: tens of seconds to the first token. */
  private static final int MOST_REQUESTS = 512;

  /**
   * A measured configuration and its estimate.
   *
   * @param row what was measured
   * @param layers layers of the model
   * @param raw the closed form over kernels alone
   */
  record Case(ClosedLoopRow row, int layers, ClosedForm raw) {
    double[] features() {
      return new double[] {raw.tpotMillis(), layers / 1e3, row.concurrency() / 1e3};
    }
  }

  /** Kernel multiplier, us per layer, us per sequence: all that is fitted for TPOT. */
  private static final Law HOST =
      new Law() {
        @Override
        public String[] coefficients() {
          return new String[] {"kernelMultiplier", "layerMicros", "sequenceMicros"};
        }

        @Override
        public double[] start() {
          return new double[] {1, 3, 3};
        }

        @Override
        public double[] least() {
          return new double[] {0.5, 0.01, 0.01};
        }

        @Override
        public double[] largest() {
          return new double[] {1.5, 200, 200};
        }

        @Override
        public double micros(double[] p, double[] shape) {
          return p[0] * shape[0] + p[1] * shape[1] + p[2] * shape[2];
        }
      };

  private Fidelity() {}

  /** All rows of an engine that the catalogue's models and the closed form cover. */
  static List<Case> cases(
      List<ClosedLoopRow> rows, String engine, Function<Gpu, KernelTimes> kernels) {
    Catalog catalog = Catalog.bundled();
    Map<String, OperatorStepTime> compiled = new LinkedHashMap<>();
    List<Case> cases = new ArrayList<>();
    for (ClosedLoopRow row : rows) {
      String name = model(row);
      if (!row.engine().equals(engine)
          || name.isEmpty()
          || row.attentionParallel() != 1
          || row.concurrency() >= MOST_REQUESTS) {
        continue;
      }
      Gpu gpu = catalog.gpu(row.system().replace("_sxm", ""));
      ModelArchitecture model = catalog.model(name);
      Precision weights = weights(row);
      String key = String.join(" ", gpu.name(), name, weights.label());
      OperatorStepTime time =
          compiled.computeIfAbsent(
              key + " " + row.tensorParallel() + " " + row.expertParallel(),
              k -> {
                Deployment worker =
                    new Deployment(
                        model,
                        gpu,
                        row.tensorParallel(),
                        1,
                        row.expertParallel(),
                        1,
                        0,
                        weights,
                        Precision.FP8);
                KernelTimes times = kernels.apply(gpu);
                return new OperatorStepTime(
                    "closed form",
                    worker,
                    new PassOperators(worker, times, true),
                    times,
                    HostCosts.NONE,
                    8192);
              });
      cases.add(
          new Case(
              row,
              model.layers(),
              ClosedForm.of(time, row.inputTokens(), row.outputTokens(), row.concurrency())));
    }
    return cases;
  }

  static String model(ClosedLoopRow row) {
    return switch (row.model()) {
      case "meta-llama/Llama-3.1-70B" -> "llama-3.1-70b";
      case "openai/gpt-oss-120b" -> "gpt-oss-120b";
      default -> "";
    };
  }

  private static Precision weights(ClosedLoopRow row) {
    if (row.expertFormat().contains("mxfp4")) {
      return Precision.MXFP4;
    }
    return row.denseFormat().equals("fp8") ? Precision.FP8 : Precision.NVFP4;
  }

  /** Kernel multiplier, us per layer and us per sequence that fit the cases best. */
  static double[] hostCosts(List<Case> cases) {
    return LawFit.fit(
        HOST,
        cases.stream().map(Case::features).toList(),
        cases.stream().mapToDouble(c -> c.row().tpotMillis()).toArray());
  }

  /** Milliseconds per request with the least mean relative error: a median weighted by 1 / TTFT. */
  static double requestMillis(List<Case> cases, double[] host) {
    List<double[]> missing = new ArrayList<>();
    double weights = 0;
    for (Case c : cases) {
      double measured = c.row().ttftMillis();
      missing.add(new double[] {measured - ttft(c, host, 0), 1 / measured});
      weights += 1 / measured;
    }
    missing.sort((x, y) -> Double.compare(x[0], y[0]));
    double below = 0;
    for (double[] entry : missing) {
      below += entry[1];
      if (below >= weights / 2) {
        return Math.max(0, entry[0]);
      }
    }
    return 0;
  }

  static double tpot(Case c, double[] host) {
    return HOST.micros(host, c.features());
  }

  static double ttft(Case c, double[] host, double requestMillis) {
    double gaps = 1.5 * (host[1] * c.layers() + host[2] * c.row().concurrency()) / 1e3;
    return host[0] * c.raw().ttftMillis() + gaps + requestMillis;
  }

  /**
   * Errors when each group in turn is left out of the fit: TPOT in the first row, TTFT in the
   * second.
   */
  static double[][] leaveOneOut(List<Case> cases, Function<Case, String> group) {
    List<double[]> errors = new ArrayList<>();
    for (String out : cases.stream().map(group).distinct().toList()) {
      Predicate<Case> left = c -> group.apply(c).equals(out);
      List<Case> learnt = cases.stream().filter(left.negate()).toList();
      double[] host = hostCosts(learnt);
      double request = requestMillis(learnt, host);
      cases.stream()
          .filter(left)
          .forEach(
              c ->
                  errors.add(
                      new double[] {
                        error(tpot(c, host), c.row().tpotMillis()),
                        error(ttft(c, host, request), c.row().ttftMillis())
                      }));
    }
    return new double[][] {
      errors.stream().mapToDouble(e -> e[0]).toArray(),
      errors.stream().mapToDouble(e -> e[1]).toArray()
    };
  }

  static double error(double told, double measured) {
    return Math.abs(told / measured - 1);
  }

  static double quantile(double[] values, double share) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[(int) (share * (sorted.length - 1))];
  }

  static double median(double[] values) {
    return quantile(values, 0.5);
  }
}

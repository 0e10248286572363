package io.orrery.scenarios.calibration;

import io.orrery.engine.Draws;
import io.orrery.models.Catalog;
import io.orrery.models.Deployment;
import io.orrery.models.HostCosts;
import io.orrery.models.Precision;
import io.orrery.models.StepTimeModel;
import io.orrery.models.StepTimeModels;
import io.orrery.models.StepTimeProfile;
import io.orrery.models.StepTimeSetup;
import io.orrery.models.kernels.FittedKernels;
import io.orrery.scenarios.measured.ClosedLoopRow;
import io.orrery.scenarios.measured.SourceNames;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Rows of a closed-loop benchmark as runs that the closed form tells. */
final class ClosedLoops {
  private static final int BATCHED_TOKENS = 8192;

  /** Beyond it, benchmarks of the kind are saturated: tens of seconds to the first token. */
  private static final int MOST_REQUESTS = 512;

  private static final double SHORTEST_MILLIS = 0.05;
  private static final double LONGEST_MILLIS = 60_000;

  private final Catalog catalog = Catalog.bundled();
  private final String engine;
  private final @Nullable FittedKernels kernels;
  private final Map<String, Function<HostCosts, StepTimeModel>> workers = new LinkedHashMap<>();
  private final List<MeasuredRun> runs = new ArrayList<>();
  private final Map<String, Integer> skipped = new TreeMap<>();
  private final List<ClosedLoopRow> used = new ArrayList<>();

  /**
   * @param engine whose rows
   * @param kernels kernel times, null for those that ship
   */
  ClosedLoops(String engine, @Nullable FittedKernels kernels) {
    this.engine = engine;
    this.kernels = kernels;
  }

  /**
   * Adds rows; those of other engines, and those that cannot be told, are counted with the reason.
   *
   * @param heldOutShare share of the rows that judge, drawn by the seed
   */
  void add(List<ClosedLoopRow> rows, double heldOutShare, long seed) {
    requireMillis(rows);
    Draws draws = new Draws(seed, "calibrate.held-out");
    for (int i = 0; i < rows.size(); i++) {
      ClosedLoopRow row = rows.get(i);
      boolean heldOut = draws.uniform(i, 0) < heldOutShare;
      String reason = unusable(row);
      if (reason.isEmpty()) {
        try {
          Function<HostCosts, StepTimeModel> worker = worker(row);
          runs.add(
              new ClosedLoopRun(
                  worker,
                  row.inputTokens(),
                  row.outputTokens(),
                  row.concurrency(),
                  row.ttftMillis(),
                  row.tpotMillis(),
                  heldOut));
          used.add(row);
        } catch (IllegalArgumentException e) {
          reason = String.valueOf(e.getMessage());
        }
      }
      if (!reason.isEmpty()) {
        skipped.merge(reason, 1, Integer::sum);
      }
    }
  }

  private static void requireMillis(List<ClosedLoopRow> rows) {
    double[] tpots = rows.stream().mapToDouble(ClosedLoopRow::tpotMillis).sorted().toArray();
    double median = tpots.length == 0 ? SHORTEST_MILLIS : tpots[tpots.length / 2];
    if (!(median >= SHORTEST_MILLIS && median <= LONGEST_MILLIS)) {
      throw new IllegalArgumentException(
          "a token takes " + median + " ms in the median of tpot_ms: not milliseconds");
    }
  }

  private String unusable(ClosedLoopRow row) {
    if (!row.engine().equals(engine)) {
      return "of engine " + row.engine();
    }
    if (row.attentionParallel() != 1) {
      return "with attention data parallelism, which the closed form does not know";
    }
    return row.concurrency() >= MOST_REQUESTS
        ? "with " + MOST_REQUESTS + " requests in flight or more: saturated"
        : "";
  }

  private Function<HostCosts, StepTimeModel> worker(ClosedLoopRow row) {
    Deployment worker =
        new Deployment(
            catalog.model(SourceNames.model(row.model())),
            catalog.gpu(SourceNames.gpu(row.system())),
            row.tensorParallel(),
            row.pipelineParallel(),
            row.expertParallel(),
            1,
            0,
            SourceNames.weights(row.denseFormat(), row.expertFormat()),
            Precision.FP8);
    String key = worker + " " + row.expertParallel();
    Function<HostCosts, StepTimeModel> known = workers.get(key);
    if (known == null) {
      Compiled compiled = new Compiled(worker);
      compiled.requireTimed();
      workers.put(key, compiled);
      known = compiled;
    }
    return known;
  }

  /** Step times of a worker; those of the constants asked for last are kept. */
  private final class Compiled implements Function<HostCosts, StepTimeModel> {
    private final Deployment worker;
    private @Nullable HostCosts host;
    private @Nullable StepTimeModel model;

    Compiled(Deployment worker) {
      this.worker = worker;
    }

    /** Says now what cannot be timed. */
    void requireTimed() {
      model = apply(HostCosts.NONE);
    }

    @Override
    public StepTimeModel apply(HostCosts wanted) {
      StepTimeModel known = model;
      if (known == null || !wanted.equals(host)) {
        known =
            StepTimeModels.compile(
                "law",
                new StepTimeSetup(
                    worker,
                    catalog,
                    BATCHED_TOKENS,
                    Map.of("kernels", engine),
                    new StepTimeProfile(wanted, kernels)));
        model = known;
        host = wanted;
      }
      return known;
    }
  }

  List<MeasuredRun> runs() {
    return runs;
  }

  /** The rows that are runs. */
  List<ClosedLoopRow> used() {
    return used;
  }

  /** How many rows were left out, by reason. */
  Map<String, Integer> skipped() {
    return skipped;
  }
}

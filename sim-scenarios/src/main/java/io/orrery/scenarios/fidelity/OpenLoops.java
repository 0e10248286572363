package io.orrery.scenarios.fidelity;

import io.orrery.engine.DispatchSettings;
import io.orrery.engine.record.RunResult;
import io.orrery.engine.scheduler.SchedulerSettings;
import io.orrery.models.Catalog;
import io.orrery.models.Deployment;
import io.orrery.models.HostCosts;
import io.orrery.models.MemoryFootprint;
import io.orrery.models.Precision;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * Measured open-loop runs, replayed with their recorded arrivals: with the shipped constants, and
 * with constants fitted to the first half of the requests and judged on the second.
 */
final class OpenLoops {
  /** Times that the engine's answer is taken anew: an open loop answers less evenly. */
  private static final int ROUNDS = 4;

  private static final double[] SHARES = {0.5, 0.9, 0.99};

  private final Catalog catalog;
  private final StepTimeChoice stepTimes;

  OpenLoops(Catalog catalog, StepTimeChoice stepTimes) {
    this.catalog = catalog;
    this.stepTimes = stepTimes;
  }

  Configuration configuration(RequestRun run) {
    return new Configuration(
        run.file(),
        0,
        run.gpu(),
        "vllm",
        run.version(),
        run.model(),
        Precision.BF16.label(),
        0,
        0,
        0,
        run.tensorParallel(),
        1,
        1,
        "");
  }

  /** KV blocks that the memory model gives the worker of a run, 0 if it does not fit. */
  long toldBlocks(RequestRun run) {
    return MemoryFootprint.of(
            worker(run),
            catalog.memoryRules().engine("vllm-0.19"),
            OptionalDouble.of(run.memoryShare()),
            run.batchedTokens(),
            run.maxSequences())
        .kvBlocks(run.blockSize());
  }

  private Deployment worker(RequestRun run) {
    return new Deployment(
        catalog.model(run.model()),
        catalog.gpu(run.gpu()),
        run.tensorParallel(),
        1,
        Precision.BF16,
        Precision.BF16);
  }

  /**
   * The replay of a run.
   *
   * @throws IllegalArgumentException if the worker cannot be built or timed, saying why
   */
  Replay replay(RequestRun run) {
    Deployment worker = worker(run);
    int blocks = run.kvBlocks() > 0 ? run.kvBlocks() : (int) toldBlocks(run);
    int longest =
        (int) Math.min(worker.model().maxPositions(), (long) (blocks - 1) * run.blockSize());
    SchedulerSettings scheduler =
        new SchedulerSettings(
            run.blockSize(),
            blocks,
            run.batchedTokens(),
            run.maxSequences(),
            longest,
            0,
            true,
            true,
            false,
            true,
            true,
            0,
            false,
            true);
    Replay replay =
        new Replay(
            run.workload(),
            new DispatchSettings.Timestamps(1),
            worker.gpus(),
            scheduler,
            stepTimes.of(catalog, worker, run.batchedTokens(), links(run)));
    return replay.requireTimed();
  }

  /** vLLM's kernels, on the links that the run's own description of its machine states. */
  private static Map<String, String> links(RequestRun run) {
    return Map.of(
        "kernels",
        "vllm",
        "linkBytesPerSecond",
        Double.toString(run.linkBytesPerSecond()),
        "linkLatencyMicros",
        Double.toString(run.linkLatencyMicros()));
  }

  /** The run's rows: all requests as shipped, and the second half by constants of the first. */
  List<FidelityRow> rows(RequestRun run, Replay replay) {
    int all = run.requests().size();
    int half = all / 2;
    HostCosts shipped = catalog.hostCosts("vllm");
    RunResult result = replay.run(shipped);
    HostCosts fitted = shipped;
    for (int round = 0; round < ROUNDS; round++) {
      fitted = HostFit.fit(fitted, samples(run, replay, fitted, half));
    }
    Map<Judgement, Told> second = new EnumMap<>(Judgement.class);
    second.put(Judgement.SHIPPED, Told.of(result, half, all));
    second.put(Judgement.FIRST_HALF, Told.of(replay.run(fitted), half, all));
    return List.of(
        row(
            run,
            "1-" + all,
            run.measured(0, all),
            Map.of(Judgement.SHIPPED, Told.of(result, 0, all))),
        row(run, (half + 1) + "-" + all, run.measured(half, all), second));
  }

  /** The first {@code half} requests one by one, with constants near {@code base}. */
  private static List<HostFit.Sample> samples(
      RequestRun run, Replay replay, HostCosts base, int half) {
    List<HostFit.Sample> samples = new ArrayList<>();
    List<Response> responses =
        Response.ofParts(base, replay::run, half, (result, r) -> Told.of(result, r, r + 1));
    for (int r = 0; r < half; r++) {
      Told measured = run.measured(r, r + 1);
      if (run.requests().get(r).outputTokens() > 1) {
        samples.add(
            new HostFit.Sample(responses.get(r), measured.ttftMillis(), measured.tpotMillis()));
      }
    }
    return samples;
  }

  /** Quantiles over all requests of a run, with the shipped constants. */
  List<FidelityResult.Quantile> quantiles(RequestRun run, Replay replay) {
    RunResult result = replay.run(catalog.hostCosts("vllm"));
    List<FidelityResult.Quantile> quantiles = new ArrayList<>();
    for (Metric metric : List.of(Metric.TTFT, Metric.TPOT, Metric.E2E)) {
      double[] measured = sorted(run, metric, r -> run.measured(r, r + 1));
      double[] told = sorted(run, metric, r -> Told.of(result, r, r + 1));
      for (double share : SHARES) {
        int rank = (int) Math.ceil(share * measured.length) - 1;
        quantiles.add(
            new FidelityResult.Quantile(
                configuration(run), metric, share, measured[rank], told[rank]));
      }
    }
    return quantiles;
  }

  private static double[] sorted(RequestRun run, Metric metric, IntFunction<Told> request) {
    return IntStream.range(0, run.requests().size())
        .mapToDouble(r -> metric.of(request.apply(r)))
        .sorted()
        .toArray();
  }

  private FidelityRow row(
      RequestRun run, String requests, Told measured, Map<Judgement, Told> told) {
    return new FidelityRow(
        configuration(run).withRequests(requests), measured, 0, Double.NaN, Double.NaN, told, "");
  }
}

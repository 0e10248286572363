package io.orrery.scenarios.calibration;

import io.orrery.engine.RequestState;
import io.orrery.engine.record.RunColumns;
import io.orrery.models.HostCosts;
import io.orrery.models.StepTimeProfile;
import io.orrery.models.kernels.FittedKernels;
import io.orrery.scenarios.experiment.ScenarioRun;
import io.orrery.traces.Trace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Measured requests, told by replaying their whole trace through the engine. The first of them, by
 * arrival, are fitted to: means over groups of neighbours, since single requests answer in jumps.
 * The rest judge.
 */
public final class ReplayedRequests implements MeasuredRun {
  private static final int GROUPS = 12;
  private static final int LEAST_OF_A_GROUP = 4;
  private static final double NANOS_PER_MILLI = 1e6;
  private static final List<String> METRICS = List.of("tpot", "ttft", "e2e");

  private final ScenarioRun run;
  private final RequestTimes times;
  private final @Nullable FittedKernels kernels;
  private final List<Group> groups = new ArrayList<>();
  private final int[] judged;

  /** Requests whose mean is one point. */
  private record Group(String metric, int[] requests) {}

  /**
   * @param run the run that was measured
   * @param times what was measured of its requests
   * @param fitFirst how many of the measured requests to fit to
   * @param kernels kernel times, null for the run's own
   */
  public ReplayedRequests(
      ScenarioRun run, RequestTimes times, int fitFirst, @Nullable FittedKernels kernels) {
    this.run = run;
    this.times = times;
    this.kernels = kernels;
    Trace trace = run.trace();
    int[] known =
        IntStream.range(0, trace.requestCount())
            .filter(times::isKnown)
            .boxed()
            .sorted(
                Comparator.comparingLong((Integer r) -> trace.arrivalNanos(r))
                    .thenComparing(r -> r))
            .mapToInt(r -> r)
            .toArray();
    int fitted = Math.min(fitFirst, known.length);
    judged = Arrays.copyOfRange(known, fitted, known.length);
    int count = Math.max(1, Math.min(GROUPS, fitted / LEAST_OF_A_GROUP));
    for (int g = 0; g < count; g++) {
      int[] group = Arrays.copyOfRange(known, fitted * g / count, fitted * (g + 1) / count);
      add("ttft", group);
      add("tpot", IntStream.of(group).filter(this::hasTpot).toArray());
    }
  }

  private void add(String metric, int[] requests) {
    if (requests.length > 0) {
      groups.add(new Group(metric, requests));
    }
  }

  private boolean hasTpot(int r) {
    return times.tpotMillis(r, run.trace().outputTokens(r)) > 0;
  }

  private double measured(String metric, int r) {
    return switch (metric) {
      case "ttft" -> times.ttftMillis()[r];
      case "tpot" -> times.tpotMillis(r, run.trace().outputTokens(r));
      default -> times.endToEndMillis()[r];
    };
  }

  @Override
  public List<Point> points() {
    return groups.stream()
        .map(
            group ->
                new Point(
                    group.metric(),
                    IntStream.of(group.requests())
                        .mapToDouble(r -> measured(group.metric(), r))
                        .average()
                        .orElseThrow()))
        .toList();
  }

  @Override
  public Told told(HostCosts host) {
    RunColumns columns =
        run.with(new StepTimeProfile(host, kernels)).simulate(ended -> {}).columns();
    double[] fitted =
        groups.stream()
            .mapToDouble(
                group ->
                    IntStream.of(group.requests())
                        .mapToDouble(r -> told(columns, group.metric(), r))
                        .average()
                        .orElseThrow())
            .toArray();
    Map<String, List<double[]>> heldOut = new LinkedHashMap<>();
    for (String metric : METRICS) {
      List<double[]> pairs = new ArrayList<>();
      for (int r : judged) {
        if (!metric.equals("tpot") || hasTpot(r)) {
          pairs.add(new double[] {told(columns, metric, r), measured(metric, r)});
        }
      }
      heldOut.put(metric, pairs);
    }
    return new Told(fitted, heldOut);
  }

  private double told(RunColumns columns, String metric, int r) {
    requireFinished(columns, r);
    long first = columns.firstTokenNanos(r);
    long begin = times.fromQueue() ? columns.queuedNanos(r) : columns.arrivalNanos(r);
    long last = columns.endNanos(r);
    double nanos =
        switch (metric) {
          case "ttft" -> first - begin;
          case "tpot" -> (double) (last - first) / Math.max(1, columns.outputTokens(r) - 1);
          default -> last - begin;
        };
    return nanos / NANOS_PER_MILLI;
  }

  private void requireFinished(RunColumns columns, int r) {
    if (columns.state(r) != RequestState.FINISHED) {
      throw new IllegalArgumentException(
          "request "
              + run.trace().requestId(r)
              + " was measured, but is "
              + columns.state(r).name().toLowerCase(Locale.ROOT)
              + " when it is replayed");
    }
  }
}

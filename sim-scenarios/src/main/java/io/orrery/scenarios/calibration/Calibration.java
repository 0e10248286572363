package io.orrery.scenarios.calibration;

import io.orrery.models.Catalog;
import io.orrery.models.Gpu;
import io.orrery.models.HostCosts;
import io.orrery.models.kernels.FittedKernels;
import io.orrery.models.kernels.KernelFamily;
import io.orrery.models.kernels.KernelFitting;
import io.orrery.models.kernels.KernelSources;
import io.orrery.scenarios.experiment.ScenarioRun;
import io.orrery.scenarios.measured.ClosedLoopRow;
import io.orrery.scenarios.measured.SourceNames;
import io.orrery.scenarios.profile.Coefficient;
import io.orrery.scenarios.profile.HeldOut;
import io.orrery.scenarios.profile.Profile;
import io.orrery.scenarios.spec.PoolSpec;
import io.orrery.traces.Trace;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Makes a profile: kernel laws from tables, host constants from measured runs, or both. Constants
 * that nothing was fitted to stay those that ship with the engine.
 */
public final class Calibration {
  private static final double REQUESTS_TO_FIT = 0.5;

  private final Catalog catalog = Catalog.bundled();
  private final String engine;
  private final KernelFamily family;
  private final String engineVersion;
  private final String fittedOn;
  private final HostCosts base;
  private final List<Profile.Source> sources = new ArrayList<>();
  private final TreeSet<String> gpus = new TreeSet<>();
  private final TreeSet<String> models = new TreeSet<>();
  private Profile.@Nullable Kernels kernels;
  private @Nullable FittedKernels laws;
  private @Nullable Fit fit;
  private int fittedTo;
  private int judgedBy;
  private Map<String, Integer> skipped = Map.of();

  /** A fit and what it was made of. */
  private record Fit(
      HostCalibration.Result result,
      String method,
      List<String> from,
      Map<String, double[]> ranges) {}

  /**
   * @param engine vllm, trtllm or sglang
   * @param engineVersion version that was measured, empty if unknown
   * @param fittedOn today, as 2026-11-29
   * @throws IllegalArgumentException if there is no such engine
   */
  public Calibration(String engine, String engineVersion, String fittedOn) {
    this.engine = engine;
    this.family = KernelSources.family(engine);
    this.engineVersion = engineVersion;
    this.fittedOn = fittedOn;
    this.base = catalog.hostCosts(engine);
  }

  /**
   * Fits kernel laws to measured tables.
   *
   * @param folder the tables
   * @param gpuName the GPU that they were measured on
   * @throws IllegalArgumentException if there is no such GPU, or a table is missing
   */
  public void fitKernels(Path folder, String gpuName) {
    Gpu gpu = catalog.gpu(gpuName);
    List<String> lines = KernelFitting.laws(folder, gpu, family, catalog);
    kernels =
        new Profile.Kernels(
            gpuName, fittedOn, "measured tables of " + family + " on " + gpuName, lines);
    laws = FittedKernels.parse(family, gpu, "kernels", String.join("\n", lines));
    gpus.add(gpuName);
  }

  /**
   * Fits host constants to the requests of a run, replayed by the engine.
   *
   * @param run what was measured; its step times are laws or tables
   * @param times what was measured of its requests
   * @param source where the times come from
   * @param fitFirst how many requests to fit to; empty for half of those that were measured
   * @throws IllegalArgumentException if there are too few, or they cannot be replayed
   */
  public void fitRequests(
      ScenarioRun run, RequestTimes times, Profile.Source source, OptionalInt fitFirst) {
    int known = times.known();
    int first = fitFirst.orElse((int) (REQUESTS_TO_FIT * known));
    if (first >= known) {
      throw new IllegalArgumentException(
          "all " + known + " measured requests are fitted to, expected some left to judge by");
    }
    ReplayedRequests replayed = new ReplayedRequests(run, times, first, laws);
    Trace trace = run.trace();
    Map<String, double[]> ranges = new LinkedHashMap<>();
    int[] rows = IntStream.range(0, trace.requestCount()).filter(times::isKnown).toArray();
    ranges.put("inputTokens", range(IntStream.of(rows).map(trace::inputTokens).boxed().toList()));
    ranges.put("outputTokens", range(IntStream.of(rows).map(trace::outputTokens).boxed().toList()));
    for (PoolSpec pool : run.variant().spec().pools()) {
      gpus.add(pool.gpu());
      models.add(pool.model());
    }
    sources.add(source);
    fittedTo = first;
    judgedBy = known - first;
    fit =
        new Fit(
            HostCalibration.fit(List.of(replayed), base), "engine", List.of(source.name()), ranges);
  }

  /**
   * Fits host constants to means of closed loops, told by the closed form.
   *
   * @param rows what was measured; those of other engines are left out
   * @param source where they come from
   * @param heldOutShare share of the rows that judge
   * @param seed draws them
   * @throws IllegalArgumentException if too few can be used
   */
  public void fitClosedLoops(
      List<ClosedLoopRow> rows, Profile.Source source, double heldOutShare, long seed) {
    ClosedLoops loops = new ClosedLoops(engine, laws);
    loops.add(rows, heldOutShare, seed);
    skipped = loops.skipped();
    List<ClosedLoopRow> used = loops.used();
    if (used.isEmpty()) {
      throw new IllegalArgumentException("no row can be used: " + skipped);
    }
    Map<String, double[]> ranges = new LinkedHashMap<>();
    ranges.put("concurrency", range(used, ClosedLoopRow::concurrency));
    ranges.put("inputTokens", range(used, ClosedLoopRow::inputTokens));
    ranges.put("outputTokens", range(used, ClosedLoopRow::outputTokens));
    used.forEach(row -> gpus.add(SourceNames.gpu(row.system())));
    used.forEach(row -> models.add(SourceNames.model(row.model())));
    sources.add(source);
    judgedBy = (int) loops.runs().stream().filter(run -> run.points().isEmpty()).count();
    fittedTo = used.size() - judgedBy;
    fit =
        new Fit(
            HostCalibration.fit(loops.runs(), base), "closed-form", List.of(source.name()), ranges);
  }

  private static double[] range(List<ClosedLoopRow> rows, ToDoubleFunction<ClosedLoopRow> value) {
    return new double[] {
      rows.stream().mapToDouble(value).min().orElse(0),
      rows.stream().mapToDouble(value).max().orElse(0)
    };
  }

  private static double[] range(List<Integer> values) {
    return new double[] {
      values.stream().mapToInt(v -> v).min().orElse(0),
      values.stream().mapToInt(v -> v).max().orElse(0)
    };
  }

  /** The constants that ship with the engine, from which fits start. */
  public HostCosts base() {
    return base;
  }

  /** What the fit of host constants found, null without one. */
  public HostCalibration.@Nullable Result result() {
    return fit == null ? null : fit.result();
  }

  /** How the fit told its runs: {@code engine} or {@code closed-form}; empty without one. */
  public String method() {
    return fit == null ? "" : fit.method();
  }

  /** How many requests or rows were fitted to. */
  public int fittedTo() {
    return fittedTo;
  }

  /** How many requests or rows judge. */
  public int judgedBy() {
    return judgedBy;
  }

  /** How many rows were left out, by reason. */
  public Map<String, Integer> skipped() {
    return skipped;
  }

  /** Held-out errors of the fitted kernel laws: median, p90 and points, by what was tested. */
  public Map<String, double[]> kernelErrors() {
    return laws == null ? Map.of() : laws.errors();
  }

  /** The profile. */
  public Profile profile() {
    Map<String, Coefficient> host = new LinkedHashMap<>();
    for (String name : HostCosts.NAMES) {
      host.put(name, coefficient(name));
    }
    return new Profile(
        engine,
        engineVersion,
        new ArrayList<>(gpus),
        new ArrayList<>(models),
        sources,
        host,
        kernels);
  }

  private Coefficient coefficient(String name) {
    Fit made = fit;
    String shipped = "shipped with " + engine;
    if (made == null) {
      return Coefficient.kept(base.value(name), shipped);
    }
    HostCalibration.Result result = made.result();
    if (!result.fitted().contains(name)) {
      String reason =
          Objects.requireNonNull(
              result.reasons().getOrDefault(name, "hidden behind the GPU, not fitted"));
      return Coefficient.kept(base.value(name), shipped + "; " + reason);
    }
    return Coefficient.fitted(
        result.host().value(name),
        new Coefficient.Fit(
            made.method(), fittedOn, made.from(), made.ranges(), judge(name, result)));
  }

  /** The errors of what a constant shows in; of the other metric where that was not judged. */
  private static HeldOut judge(String name, HostCalibration.Result result) {
    for (HostConstant constant : HostConstant.ALL) {
      HeldOut errors = result.after().get(constant.metric());
      if (constant.name().equals(name) && errors != null) {
        return errors;
      }
    }
    return result.after().values().iterator().next();
  }
}

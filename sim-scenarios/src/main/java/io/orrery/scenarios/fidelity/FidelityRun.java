package io.orrery.scenarios.fidelity;

import io.orrery.models.Catalog;
import io.orrery.models.HostCosts;
import io.orrery.models.StepTimeModel;
import io.orrery.models.kernels.ClosedForm;
import io.orrery.scenarios.experiment.InOrder;
import io.orrery.scenarios.measured.ClosedLoopFile;
import io.orrery.scenarios.measured.ClosedLoopRow;
import io.orrery.scenarios.measured.SourceNames;
import io.orrery.scenarios.text.Position;
import io.orrery.scenarios.text.ScenarioException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Replays every measurement of some files and fits host constants without the rows that they are
 * judged on.
 *
 * <p>Constants are fitted to the engine's answers to first order (see {@link Response}); what is
 * reported is what the engine then tells with them, not the linear estimate.
 */
public final class FidelityRun {
  /** Kinds of groups that are left out of a fit in turn. */
  private static final int FOLDS = 2;

  private final Catalog catalog;
  private final StepTimeChoice stepTimes;
  private final int threads;
  private final AtomicLong replayed = new AtomicLong();
  private final ClosedLoops closedLoops;
  private final OpenLoops openLoops;
  private final List<ClosedLoopRow> closed = new ArrayList<>();
  private final List<RequestRun> open = new ArrayList<>();
  private final List<FidelityResult.Skipped> skipped = new ArrayList<>();
  private final List<FidelityResult.Fit> fits = new ArrayList<>();

  /** A closed loop that can be replayed. */
  private record Case(
      ClosedLoopRow row, Replay replay, double meanOutput, ServingSettings settings) {
    /** Runs of the engine take about this long, in comparison. */
    long effort() {
      return (long) row.concurrency() * row.outputTokens();
    }
  }

  /**
   * @param threads runs at once
   */
  public FidelityRun(Catalog catalog, StepTimeChoice stepTimes, int threads) {
    this.catalog = catalog;
    this.stepTimes = stepTimes;
    this.threads = threads;
    this.closedLoops = new ClosedLoops(catalog, stepTimes);
    this.openLoops = new OpenLoops(catalog, stepTimes);
  }

  /**
   * Adds the measurements of a file: CSV of closed loops, or requests of an open-loop run.
   *
   * @param wanted which of them
   * @throws ScenarioException if the file cannot be read or makes no sense
   */
  public void add(Path file, Predicate<Configuration> wanted) {
    if (!Files.isRegularFile(file)) {
      throw new ScenarioException(
          Position.of(file.toString()),
          "",
          Files.exists(file) ? "a folder" : "no such file",
          "measurements: a .csv of closed loops or a *" + RequestRun.SUFFIX);
    }
    try {
      if (file.getFileName().toString().endsWith(RequestRun.SUFFIX)) {
        RequestRun run = RequestRun.read(file);
        if (wanted.test(openLoops.configuration(run))) {
          open.add(run);
        }
      } else {
        for (ClosedLoopRow row : ClosedLoopFile.read(file, catalog)) {
          if (wanted.test(Configuration.of(row))) {
            closed.add(row);
          }
        }
      }
    } catch (IOException e) {
      throw new ScenarioException(
          Position.of(file.toString()),
          "",
          "an unreadable file (" + e.getMessage() + ")",
          "measurements in UTF-8");
    }
  }

  /** How many measurements there are. */
  public int measurements() {
    return closed.size() + open.size();
  }

  /** Requests that will be replayed, all runs of the engine together. */
  public long expectedRequests() {
    long perRun =
        closed.stream().mapToLong(row -> 10L * row.concurrency()).sum()
            + open.stream().mapToLong(run -> run.requests().size()).sum();
    return perRun * (1 + HostConstant.values().length + FOLDS);
  }

  /**
   * Replays and compares.
   *
   * @param progress is told now and then how many requests have been replayed
   */
  public FidelityResult run(LongConsumer progress) {
    List<FidelityRow> rows = new ArrayList<>(closedLoopRows(progress));
    List<FidelityResult.Pool> pools = new ArrayList<>();
    List<FidelityResult.Quantile> quantiles = new ArrayList<>();
    for (RequestRun run : open) {
      addOpenLoop(run, rows, pools, quantiles);
    }
    return new FidelityResult(stepTimes.kind(), rows, skipped, fits, pools, quantiles);
  }

  private void addOpenLoop(
      RequestRun run,
      List<FidelityRow> rows,
      List<FidelityResult.Pool> pools,
      List<FidelityResult.Quantile> quantiles) {
    Configuration configuration = openLoops.configuration(run);
    try {
      if (run.kvBlocks() > 0) {
        pools.add(
            new FidelityResult.Pool(configuration, run.kvBlocks(), openLoops.toldBlocks(run)));
      }
      Replay replay = openLoops.replay(run);
      rows.addAll(openLoops.rows(run, replay));
      quantiles.addAll(openLoops.quantiles(run, replay));
    } catch (IllegalArgumentException e) {
      skipped.add(new FidelityResult.Skipped(configuration, String.valueOf(e.getMessage())));
    }
  }

  private List<FidelityRow> closedLoopRows(LongConsumer progress) {
    List<Case> cases = new ArrayList<>();
    for (ClosedLoopRow row : closed) {
      try {
        Replay replay = closedLoops.replay(row);
        cases.add(
            new Case(
                row,
                replay,
                IntStream.range(0, replay.trace().requestCount())
                    .mapToDouble(replay.trace()::outputTokens)
                    .average()
                    .orElseThrow(),
                closedLoops.settings(row)));
      } catch (IllegalArgumentException e) {
        skipped.add(
            new FidelityResult.Skipped(Configuration.of(row), String.valueOf(e.getMessage())));
      }
    }
    List<Response> responses =
        each(
            progress,
            cases,
            c -> Response.of(closedLoops.shipped(c.row().engine()), host -> engine(c, host)));
    Map<Integer, HostCosts> byModel =
        folds(cases, responses, row -> SourceNames.model(row.model()));
    Map<Integer, HostCosts> byGpu = folds(cases, responses, row -> SourceNames.gpu(row.system()));
    fitAll(cases, responses);
    List<Integer> indices = IntStream.range(0, cases.size()).boxed().toList();
    Map<Case, Integer> order = new IdentityHashMap<>();
    indices.forEach(i -> order.put(cases.get(i), i));
    return each(
        progress,
        cases,
        c -> {
          int i = Objects.requireNonNull(order.get(c));
          return row(c, responses.get(i), byModel.get(i), byGpu.get(i));
        });
  }

  private FidelityRow row(
      Case c, Response response, @Nullable HostCosts withoutModel, @Nullable HostCosts withoutGpu) {
    ClosedLoopRow row = c.row();
    Map<Judgement, Told> told = new EnumMap<>(Judgement.class);
    told.put(Judgement.SHIPPED, response.told());
    told.put(Judgement.CLOSED_FORM, closedForm(c, response.base()));
    if (withoutModel != null) {
      told.put(Judgement.LEAVE_MODEL_OUT, engine(c, withoutModel));
    }
    if (withoutGpu != null) {
      told.put(Judgement.LEAVE_GPU_OUT, engine(c, withoutGpu));
    }
    return new FidelityRow(
        Configuration.of(row),
        Told.closedLoop(row.ttftMillis(), row.tpotMillis(), c.meanOutput(), row.concurrency()),
        row.repeats(),
        row.ttftSpread(),
        row.tpotSpread(),
        told,
        c.settings().note());
  }

  private static Told closedForm(Case c, HostCosts host) {
    ClosedLoopRow row = c.row();
    StepTimeModel model = c.replay().stepTime().apply(host);
    ClosedForm form =
        ClosedForm.of(model, row.inputTokens(), row.outputTokens(), row.concurrency());
    return Told.closedLoop(
        form.ttftMillis() + host.requestMillis(),
        form.tpotMillis(),
        c.meanOutput(),
        row.concurrency());
  }

  private Told engine(Case c, HostCosts host) {
    int requests = c.replay().trace().requestCount();
    Told told = Told.of(c.replay().run(host), 0, requests);
    replayed.addAndGet(requests);
    return told.inClosedLoop(c.meanOutput(), c.row().concurrency());
  }

  /** Works on all cases, those that take longest first, and returns results in order. */
  private <T> List<T> each(LongConsumer progress, List<Case> cases, Function<Case, T> work) {
    List<Integer> longestFirst =
        IntStream.range(0, cases.size())
            .boxed()
            .sorted(Comparator.comparingLong((Integer i) -> -cases.get(i).effort()))
            .toList();
    List<T> done =
        InOrder.map(
            threads,
            longestFirst,
            i -> {
              T result = work.apply(cases.get(i));
              progress.accept(replayed.get());
              return result;
            });
    Map<Integer, T> byIndex = new TreeMap<>();
    for (int i = 0; i < done.size(); i++) {
      byIndex.put(longestFirst.get(i), done.get(i));
    }
    return List.copyOf(byIndex.values());
  }

  /** Constants for every case, fitted to the cases of its engine in other groups than its own. */
  private Map<Integer, HostCosts> folds(
      List<Case> cases, List<Response> responses, Function<ClosedLoopRow, String> group) {
    Map<String, HostCosts> fitted = new LinkedHashMap<>();
    Map<Integer, HostCosts> byCase = new LinkedHashMap<>();
    for (int i = 0; i < cases.size(); i++) {
      String engine = cases.get(i).row().engine();
      String out = group.apply(cases.get(i).row());
      String fold = engine + " " + out;
      if (!fitted.containsKey(fold)) {
        List<HostFit.Sample> others =
            samples(
                cases,
                responses,
                row -> row.engine().equals(engine) && !group.apply(row).equals(out));
        if (others.isEmpty()) {
          continue;
        }
        HostCosts host = HostFit.fit(closedLoops.shipped(engine), others);
        fitted.put(fold, host);
        fits.add(new FidelityResult.Fit(engine, out, others.size(), host));
      }
      byCase.put(i, fitted.get(fold));
    }
    return byCase;
  }

  private void fitAll(List<Case> cases, List<Response> responses) {
    for (String engine : cases.stream().map(c -> c.row().engine()).distinct().toList()) {
      List<HostFit.Sample> all = samples(cases, responses, row -> row.engine().equals(engine));
      if (all.isEmpty()) {
        continue;
      }
      fits.add(
          new FidelityResult.Fit(
              engine, "", all.size(), HostFit.fit(closedLoops.shipped(engine), all)));
    }
  }

  private static List<HostFit.Sample> samples(
      List<Case> cases, List<Response> responses, Predicate<ClosedLoopRow> wanted) {
    List<HostFit.Sample> samples = new ArrayList<>();
    for (int i = 0; i < cases.size(); i++) {
      ClosedLoopRow row = cases.get(i).row();
      boolean fitted = cases.get(i).settings().use() == ServingSettings.Use.FIT;
      if (fitted && wanted.test(row)) {
        samples.add(new HostFit.Sample(responses.get(i), row.ttftMillis(), row.tpotMillis()));
      }
    }
    return samples;
  }
}

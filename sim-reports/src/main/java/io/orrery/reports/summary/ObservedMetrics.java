package io.orrery.reports.summary;

import static io.orrery.reports.summary.Metric.Better.LOWER;
import static io.orrery.reports.summary.Metric.Better.NEITHER;

import io.orrery.engine.record.Samples;
import io.orrery.traces.Trace;
import java.util.List;

/**
 * What the trace recorded, beside what the run made of the same requests; absent where nothing was
 * recorded. Errors say how well the modelled cluster is the one that was recorded: for any other,
 * they are differences.
 */
final class ObservedMetrics implements MetricGroup {
  private static final double MILLIS = 1e6;

  private static final Compared TTFT =
      new Compared("ttft", "time to first token", "requests that got one and");
  private static final Compared E2E =
      new Compared("e2e", "time from sending a request to its last token", "completed requests");
  private static final Compared TPOT =
      new Compared(
          "tpot",
          "time per output token after the first, from recorded TTFT, total and output tokens",
          "completed requests of at least two");

  private static final Metric HIT_RATE =
      Metric.number(
          "observed.hit_rate",
          NEITHER,
          "Share of the known input tokens (without those of hit_rate.unidentified_share) that came from"
              + " a cache, as recorded, of requests that were taken into a step and of which it is"
              + " recorded; of all their input where no block has an identity.");
  private static final Metric HIT_RATE_SIMULATED =
      Metric.number(
          "observed.hit_rate_simulated",
          NEITHER,
          "The same share, of the same input, in this run; absent where no block has an identity.");
  private static final Metric HIT_RATE_ERROR =
      Metric.number(
          "observed.hit_rate_error",
          NEITHER,
          "Simulated less recorded share of known input tokens from a cache.");

  @Override
  public String title() {
    return "Observed against simulated";
  }

  @Override
  public List<Metric> metrics() {
    return List.of(
        TTFT.observed,
        TTFT.simulated,
        TTFT.error,
        TTFT.absoluteError,
        TPOT.observed,
        TPOT.simulated,
        TPOT.error,
        TPOT.absoluteError,
        E2E.observed,
        E2E.simulated,
        E2E.error,
        E2E.absoluteError,
        HIT_RATE,
        HIT_RATE_SIMULATED,
        HIT_RATE_ERROR);
  }

  @Override
  public Measure measure(RunFacts run) {
    return new Measuring(run);
  }

  /** The metrics of one time. */
  private static final class Compared {
    final Metric observed;
    final Metric simulated;
    final Metric error;
    final Metric absoluteError;

    Compared(String key, String what, String requests) {
      observed =
          Metric.quantiles(
              "observed." + key + "_ms",
              NEITHER,
              "Recorded " + what + ", of " + requests + " of which it is recorded.");
      simulated =
          Metric.quantiles(
              "observed." + key + "_simulated_ms",
              NEITHER,
              "The same of the same requests in this run.");
      error =
          Metric.number(
              "observed." + key + "_error",
              NEITHER,
              "Mean of the simulated over mean of the recorded ones, less 1.");
      absoluteError =
          Metric.number(
              "observed." + key + "_absolute_error",
              LOWER,
              "Sum of the differences, request by request and without their sign, over the sum of"
                  + " the recorded ones.");
    }
  }

  /** Pairs of a recorded and a simulated time. */
  private static final class Pairs {
    private final Samples observed = new Samples();
    private final Samples simulated = new Samples();
    private final Samples differences = new Samples();

    void add(long recorded, long made) {
      observed.add(recorded, 1);
      simulated.add(made, 1);
      differences.add(Math.abs(made - recorded), 1);
    }

    void put(Compared metrics, Summary.Builder out) {
      out.put(metrics.observed, observed, MILLIS);
      out.put(metrics.simulated, simulated, MILLIS);
      if (observed.count() > 0) {
        out.put(metrics.error, simulated.mean() / observed.mean() - 1);
        out.put(metrics.absoluteError, differences.mean() / observed.mean());
      }
    }
  }

  private static final class Measuring implements Measure {
    private final RunFacts run;
    private final Pairs ttft = new Pairs();
    private final Pairs tpot = new Pairs();
    private final Pairs e2e = new Pairs();
    private final KnownTokens known = new KnownTokens();
    private long input;
    private long cached;

    /** Of these, the tokens that are known: what is not known lies behind. */
    private long knownCached;

    Measuring(RunFacts run) {
      this.run = run;
    }

    @Override
    public void row(RequestRow row) {
      Trace trace = run.trace();
      int request = row.request();
      long recordedTtft = trace.recordedTtftNanos(request);
      long recordedTotal = trace.recordedTotalNanos(request);
      if (recordedTtft != Trace.NO_TIME && row.hasFirstToken()) {
        ttft.add(recordedTtft, row.ttftNanos());
      }
      if (recordedTotal != Trace.NO_TIME && row.finished()) {
        e2e.add(recordedTotal, row.endNanos() - row.arrivalNanos());
        int gaps = trace.outputTokens(request) - 1;
        int simulatedGaps = row.outputTokens() - 1;
        if (recordedTtft != Trace.NO_TIME
            && recordedTotal >= recordedTtft
            && gaps > 0
            && simulatedGaps > 0) {
          tpot.add(
              (recordedTotal - recordedTtft) / gaps,
              (row.endNanos() - row.firstTokenNanos()) / simulatedGaps);
        }
      }
      if (trace.recordedCachedTokens(request) >= 0 && row.inStep()) {
        input += row.inputTokens();
        cached += trace.recordedCachedTokens(request);
        knownCached +=
            Math.min(
                trace.recordedCachedTokens(request),
                row.inputTokens() - trace.unidentifiedTokens(request));
        known.add(trace, request, row.inputTokens(), row.hitTokens());
      }
    }

    @Override
    public void finish(Summary.Builder out) {
      ttft.put(TTFT, out);
      tpot.put(TPOT, out);
      e2e.put(E2E, out);
      if (run.hasIdentities() && known.input() > 0) {
        out.put(HIT_RATE, (double) knownCached / known.input());
        out.put(HIT_RATE_SIMULATED, known.hitRate());
        out.put(HIT_RATE_ERROR, (double) (known.hits() - knownCached) / known.input());
      } else if (input > 0) {
        out.put(HIT_RATE, (double) cached / input);
      }
    }
  }
}

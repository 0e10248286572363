package io.orrery.reports.summary;

import static io.orrery.reports.summary.Metric.Better.LOWER;

import java.util.List;

/** What the run costs: all GPUs are paid for as long as it lasts, busy or not. */
final class CostMetrics implements MetricGroup {
  private static final double SECONDS_PER_HOUR = 3600;
  private static final double MILLION = 1e6;

  private static final Metric GPU_HOURS =
      Metric.number("cost.gpu_hours", LOWER, "GPUs times simulated hours.");
  private static final Metric DOLLARS =
      Metric.number(
          "cost.usd",
          LOWER,
          "Price of cost.gpu_hours; whose prices is among the assumptions, absent where none is known.");
  private static final Metric ENERGY =
      Metric.number(
          "cost.kwh",
          LOWER,
          "Energy of all GPUs at their power, busy or not; absent where none is known.");
  private static final Metric PER_INPUT =
      Metric.number(
          "cost.usd_per_million_input_tokens",
          LOWER,
          "The whole of cost.usd, not a part for the input, over the million input tokens.");
  private static final Metric PER_OUTPUT =
      Metric.number(
          "cost.usd_per_million_output_tokens",
          LOWER,
          "The whole of cost.usd, not a part for the output, over the million output tokens.");
  private static final Metric PER_SESSION =
      Metric.number(
          "cost.usd_per_session", LOWER, "Price in cost.usd over the completed sessions.");

  @Override
  public String title() {
    return "Cost and energy";
  }

  @Override
  public List<Metric> metrics() {
    return List.of(GPU_HOURS, DOLLARS, PER_INPUT, PER_OUTPUT, PER_SESSION, ENERGY);
  }

  @Override
  public Measure measure(RunFacts run) {
    return new Measure() {
      private long input;
      private long output;

      @Override
      public void row(RequestRow row) {
        input += row.inStep() ? row.inputTokens() : 0;
        output += row.outputTokens();
      }

      @Override
      public void finish(Summary.Builder out) {
        double hours = run.result().endNanos() / 1e9 / SECONDS_PER_HOUR;
        out.put(GPU_HOURS, hours * run.gpus());
        run.cluster().dollarsPerHour().ifPresent(price -> putPrices(price * hours, out));
        run.cluster().kilowatts().ifPresent(power -> out.put(ENERGY, power * hours));
      }

      private void putPrices(double dollars, Summary.Builder out) {
        out.put(DOLLARS, dollars);
        out.put(PER_INPUT, dollars * MILLION / input);
        out.put(PER_OUTPUT, dollars * MILLION / output);
        out.put(PER_SESSION, dollars / completed());
      }

      private long completed() {
        SessionFacts sessions = run.sessions();
        long completed = 0;
        for (int session = 0; session < sessions.count(); session++) {
          completed += sessions.completed(session) ? 1 : 0;
        }
        return completed;
      }
    };
  }
}

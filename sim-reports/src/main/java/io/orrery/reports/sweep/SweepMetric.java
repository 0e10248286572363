package io.orrery.reports.sweep;

import io.orrery.reports.chart.Axis;
import io.orrery.reports.chart.Figures;

/** The numbers by which a sweep's points are judged. */
enum SweepMetric {
  TTFT("ttft_ms.p95", "TTFT p95", Axis.Unit.MILLIS, false),
  TPOT("tpot_ms.p95", "time per output token p95", Axis.Unit.MILLIS, false),
  PER_GPU("output_tokens_per_s_per_gpu", "output tokens/s per GPU", Axis.Unit.COUNT, true),
  GOODPUT("goodput_rps", "requests/s within SLO", Axis.Unit.COUNT, true),
  HITS("hit_rate.tokens", "input tokens reused", Axis.Unit.SHARE, true),
  KV("headroom.used_fraction.p99", "KV blocks in use p99", Axis.Unit.SHARE, false),
  COST("cost.usd", "cost in $", Axis.Unit.COUNT, false);

  private final String key;
  private final String label;
  private final Axis.Unit unit;
  private final boolean higherIsBetter;

  SweepMetric(String key, String label, Axis.Unit unit, boolean higherIsBetter) {
    this.key = key;
    this.label = label;
    this.unit = unit;
    this.higherIsBetter = higherIsBetter;
  }

  String key() {
    return key;
  }

  String label() {
    return label;
  }

  Axis.Unit unit() {
    return unit;
  }

  String text(double value) {
    return Figures.text(value, unit);
  }

  /** Above 0 if the first is better, 0 if they are equal or one is unknown. */
  int compare(double first, double second) {
    if (Double.isNaN(first) || Double.isNaN(second)) {
      return 0;
    }
    int order = Double.compare(first, second);
    return higherIsBetter ? order : -order;
  }
}

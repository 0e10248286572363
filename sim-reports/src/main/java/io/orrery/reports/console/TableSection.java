package io.orrery.reports.console;

import io.orrery.reports.summary.KnownInput;
import io.orrery.reports.summary.Metric;
import io.orrery.reports.summary.Metrics;
import io.orrery.reports.summary.Summary;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.DoubleFunction;

/** A heading of the table and its lines. */
record TableSection(String title, List<TableRow> rows) {
  /** What the table shows, from top to bottom. */
  static final List<TableSection> ALL =
      List.of(
          new TableSection(
              "Latency",
              List.of(
                  row("TTFT p50", "ttft_ms.p50", HumanUnits::millis),
                  row("TTFT p95", "ttft_ms.p95", HumanUnits::millis),
                  row("TTFT p99", "ttft_ms.p99", HumanUnits::millis),
                  row("pause by admission p95", "pause_ms.p95", HumanUnits::millis),
                  row("queue wait p95", "queue_wait_ms.p95", HumanUnits::millis),
                  row("between tokens p50", "itl_ms.p50", HumanUnits::millis),
                  row("between tokens p99", "itl_ms.p99", HumanUnits::millis),
                  row("session time, mean", "session_completion_s.mean", HumanUnits::seconds))),
          new TableSection(
              "Cache and tax, of input tokens",
              List.of(
                  row("reused", "hit_rate.tokens", HumanUnits::percent),
                  bound(),
                  row("without identity", "hit_rate.unidentified_share", HumanUnits::percent),
                  ofKnown("reused, of known input", "hit_rate.tokens"),
                  ofKnown("bound, of known input", "hit_rate.bound"),
                  row("lost by placement", "hit_rate.placement_loss", HumanUnits::percent),
                  row("lost by eviction order", "hit_rate.eviction_loss", HumanUnits::percent),
                  row("reused, median session", "hit_rate.session.p50", HumanUnits::percent),
                  share("tax: held by another worker", "misplaced"),
                  share("tax: evicted", "evicted", "queue_evicted"),
                  share("rewritten by the session", "rewritten"))),
          new TableSection(
              "Throughput",
              List.of(
                  row("output tokens/s", "output_tokens_per_s", HumanUnits::amount),
                  row("output tokens/s per GPU", "output_tokens_per_s_per_gpu", HumanUnits::amount),
                  row("requests/s", "requests_per_s", HumanUnits::amount),
                  row("requests/s within SLO", "goodput_rps", HumanUnits::amount),
                  row("simulated time", "simulated_s", HumanUnits::seconds))),
          new TableSection(
              "Speculative decoding",
              List.of(
                  row("tokens per step", "speculation.tokens_per_step", HumanUnits::amount),
                  row("drafts accepted", "speculation.accepted", HumanUnits::percent),
                  row("decode speed-up", "speculation.decode_speedup", HumanUnits::amount))),
          new TableSection(
              "Memory and GPUs",
              List.of(
                  row("KV pool, tokens", "headroom.kv_pool_tokens", HumanUnits::amount),
                  row(
                      "working set p95, tokens",
                      "headroom.working_set_tokens.p95",
                      HumanUnits::amount),
                  row("KV blocks in use p99", "headroom.used_fraction.p99", HumanUnits::percent),
                  row("preemptions", "preemptions", HumanUnits::count),
                  gpuTime("GPU time in prefill", "prefill", Metric.Better.LOWER),
                  gpuTime("GPU time in decode", "decode", Metric.Better.NEITHER),
                  row("busiest worker / mean, time", "imbalance.busy", HumanUnits::amount))),
          new TableSection(
              "Recorded, and simulated",
              List.of(
                  row("TTFT p50, recorded", "observed.ttft_ms.p50", HumanUnits::millis),
                  row("simulated", "observed.ttft_simulated_ms.p50", HumanUnits::millis),
                  row("per token p50, recorded", "observed.tpot_ms.p50", HumanUnits::millis),
                  row("simulated", "observed.tpot_simulated_ms.p50", HumanUnits::millis),
                  row("reused, recorded", "observed.hit_rate", HumanUnits::percent),
                  row("simulated", "observed.hit_rate_simulated", HumanUnits::percent))),
          new TableSection(
              "Requests",
              List.of(
                  row("completed", "requests.completed", HumanUnits::count),
                  row("rejected", "requests.rejected", HumanUnits::count),
                  row("clipped", "requests.clipped", HumanUnits::count),
                  row("unfinished", "requests.unfinished", HumanUnits::count),
                  row("sessions alive, mean", "concurrency.live.mean", HumanUnits::amount),
                  row(
                      "sessions held by admission",
                      "concurrency.paused.mean",
                      HumanUnits::amount))));

  private static TableRow row(String label, String key, DoubleFunction<String> format) {
    return new TableRow(label, summary -> summary.get(key), Metrics.of(key).better(), format);
  }

  /** A bound is one of what is known. */
  private static TableRow bound() {
    return new TableRow(
        "no cache reuses more than",
        summary ->
            KnownInput.isAll(summary) ? summary.get("hit_rate.bound") : OptionalDouble.empty(),
        Metrics.of("hit_rate.bound").better(),
        HumanUnits::percent);
  }

  private static TableRow ofKnown(String label, String key) {
    return new TableRow(
        label,
        summary -> KnownInput.share(summary, key),
        Metrics.of(key).better(),
        HumanUnits::percent);
  }

  private static TableRow share(String label, String... classes) {
    return new TableRow(
        label,
        summary -> {
          double input = summary.get("tokens.input", 0);
          if (input == 0 || summary.get("hit_rate.tokens").isEmpty()) {
            return OptionalDouble.empty();
          }
          double tokens = 0;
          for (String kind : classes) {
            tokens += summary.get("ledger_tokens." + kind, 0);
          }
          return OptionalDouble.of(tokens / input);
        },
        Metrics.of("ledger_tokens." + classes[0]).better(),
        HumanUnits::percent);
  }

  private static TableRow gpuTime(String label, String part, Metric.Better better) {
    return new TableRow(
        label,
        summary -> {
          double all =
              summary.get("gpu_seconds.prefill", 0)
                  + summary.get("gpu_seconds.decode", 0)
                  + summary.get("gpu_seconds.idle", 0);
          return all == 0
              ? OptionalDouble.empty()
              : OptionalDouble.of(summary.get("gpu_seconds." + part, 0) / all);
        },
        better,
        HumanUnits::percent);
  }

  /**
   * Lines that say something of at least one run; those of rare events only where there are any.
   */
  List<TableRow> shown(List<Summary> runs) {
    return rows.stream().filter(row -> runs.stream().anyMatch(run -> isTelling(row, run))).toList();
  }

  private static boolean isTelling(TableRow row, Summary run) {
    OptionalDouble value = row.value().apply(run);
    boolean rare = List.of("rejected", "clipped", "unfinished").contains(row.label());
    return value.isPresent() && (!rare || value.getAsDouble() > 0);
  }
}

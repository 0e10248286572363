package io.orrery.reports.plan;

import io.orrery.reports.console.HumanUnits;
import io.orrery.reports.summary.Summary;

/**
 * What gives way first, told from the run just beyond the boundary:
 *
 * <ul>
 *   <li>the KV pool, if requests were preempted, or the pool was full (p99 of its use at 95 % or
 *       more) while the promise on the first token broke by waiting;
 *   <li>prefill compute, if the first token broke and prefill takes most of the busy time, or if
 *       the speed (or, without much waiting, the completion of sessions) broke and prefill takes
 *       most of it: decodes wait behind prompts;
 *   <li>decode bandwidth, if one of these broke, or all of the time went, in decodes;
 *   <li>queueing otherwise: requests wait although GPUs idle, for bursts or for where they are
 *       sent.
 * </ul>
 *
 * @param part {@code KV pool}, {@code prefill compute}, {@code decode bandwidth}, {@code queueing}
 *     or {@code model length}
 * @param evidence the numbers that say so
 */
record Bottleneck(String part, String evidence) {
  private static final double FULL = 0.95;
  private static final double BUSY = 0.9;

  static Bottleneck of(Summary run, SloCheck check) {
    double used = run.get("headroom.used_fraction.p99", 0);
    double preemptions = run.get("preemptions", 0);
    double prefill = run.get("gpu_seconds.prefill", 0);
    double decode = run.get("gpu_seconds.decode", 0);
    double all = prefill + decode + run.get("gpu_seconds.idle", 0);
    double busy = all == 0 ? 0 : (prefill + decode) / all;
    double share = prefill + decode == 0 ? 0 : prefill / (prefill + decode);
    double ttft = run.get("ttft_ms.p95", 0);
    double wait = run.get("queue_wait_ms.p95", 0);
    SloCheck.Kind broken = check.worst().kind();
    String evidence =
        HumanUnits.percent(used)
            + " of the KV blocks in use (p99), "
            + HumanUnits.count(preemptions)
            + " preemptions, GPUs busy "
            + HumanUnits.percent(busy)
            + " of the time, "
            + HumanUnits.percent(share)
            + " of that in prefill, queue wait p95 "
            + HumanUnits.millis(wait)
            + " of "
            + HumanUnits.millis(ttft);
    if (broken == SloCheck.Kind.REFUSED) {
      return new Bottleneck("model length", evidence);
    }
    boolean waits = wait >= ttft / 2;
    if (preemptions > 0.01 * run.get("requests.dispatched", 0)
        || (used >= FULL && waits && broken != SloCheck.Kind.SPEED)) {
      return new Bottleneck("KV pool", evidence);
    }
    if (broken == SloCheck.Kind.SPEED || (broken == SloCheck.Kind.SESSION && !waits)) {
      return new Bottleneck(share > 0.5 ? "prefill compute" : "decode bandwidth", evidence);
    }
    if (!waits || busy >= BUSY) {
      return new Bottleneck(
          share > 0.5 || !waits ? "prefill compute" : "decode bandwidth", evidence);
    }
    return new Bottleneck("queueing", evidence);
  }
}

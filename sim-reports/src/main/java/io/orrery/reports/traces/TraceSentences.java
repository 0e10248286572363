package io.orrery.reports.traces;

import io.orrery.reports.console.HumanUnits;
import io.orrery.traces.TraceStatistics;
import io.orrery.traces.analysis.BlockReuse;
import io.orrery.traces.analysis.Distribution;
import java.util.stream.Collectors;

/** What a trace is, in sentences. */
final class TraceSentences {
  private TraceSentences() {}

  /** Files, format, size. */
  static String what(TraceSummary summary) {
    TraceStatistics counts = summary.counts();
    String files =
        summary.provenance().files().isEmpty()
            ? "a trace"
            : summary.provenance().files().stream()
                .limit(3)
                .map(file -> file.name())
                .collect(Collectors.joining(", "));
    int more = summary.provenance().files().size() - 3;
    String span = HumanUnits.seconds(summary.spanNanos() / 1e9);
    return files
        + (more > 0 ? " and " + more + " more" : "")
        + ": "
        + summary.provenance().format()
        + ", "
        + HumanUnits.count(counts.requests(), "request")
        + " in "
        + HumanUnits.count(counts.sessions(), "session")
        + ", "
        + (counts.subAgentRequests() == 0
            ? ""
            : HumanUnits.count(counts.subAgentRequests(), "request") + " of sub-agents, ")
        + (summary.sharedClock()
            ? "over " + span + "." + ticks(summary)
            : "each with a clock of its own, the longest " + span + ".");
  }

  /** That most sessions start together with another, as if times were read off a slow clock. */
  private static String ticks(TraceSummary summary) {
    Distribution gaps = summary.distributions().get(TraceNumber.INTER_ARRIVAL);
    return gaps == null || gaps.p50() > 0 || gaps.max() == 0
        ? ""
        : " Most of them start at the time of another, which makes bursts; a jitter spreads them"
            + " (trace.closedLoop.arrivals.jitter, trace.timestamps.jitter).";
  }

  /**
   * Tokens, and how many were sent before; first of how many that is not known, since all shares
   * are of the others.
   */
  static String reuse(TraceSummary summary) {
    TraceStatistics counts = summary.counts();
    BlockReuse reuse = summary.reuse();
    String tokens =
        HumanUnits.amount(counts.inputTokens())
            + " input and "
            + HumanUnits.amount(counts.outputTokens())
            + " output tokens";
    if (reuse == null) {
      return tokens + ". The identity of prompts is not known, and neither are hit rates.";
    }
    boolean all = counts.unidentifiedTokens() == 0;
    return tokens
        + "; "
        + (all
            ? HumanUnits.percent(reuse.acrossSessions()) + " of the input"
            : HumanUnits.percent(counts.unidentifiedShare())
                + " of the input has no identity: whether it was sent before is unknown. Of the"
                + " rest, as in all shares below, "
                + HumanUnits.percent(reuse.acrossSessions()))
        + " was sent before, "
        + HumanUnits.percent(counts.sessionReusedShare())
        + " by the same session. On 8 workers where a request goes decides over a tenth of its"
        + " prompt or more for "
        + HumanUnits.percent(reuse.choice()[BlockReuse.WORKERS.indexOf(8)])
        + (all ? " of the requests." : " of the requests that are known.");
  }
}

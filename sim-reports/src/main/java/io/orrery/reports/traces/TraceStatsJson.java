package io.orrery.reports.traces;

import io.orrery.reports.JsonText;
import io.orrery.traces.TraceStatistics;
import io.orrery.traces.analysis.BlockReuse;
import io.orrery.traces.analysis.Concurrency;
import io.orrery.traces.analysis.Distribution;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is said about a trace, as one JSON document. What is not known is null, or absent among the
 * distributions. Shares are of the input tokens whose identity is known; if that are not all,
 * {@code unidentified_share} is the share of the others. Times are seconds.
 */
public final class TraceStatsJson {
  /** The version of the document's structure. */
  public static final int SCHEMA_VERSION = 1;

  private static final MathContext DIGITS = new MathContext(9);

  private TraceStatsJson() {}

  /**
   * The document.
   *
   * @param contentDigest {@link io.orrery.traces.Trace#digest}, the same whatever files hold the
   *     trace; null where the trace has not been read as a whole
   */
  public static String of(TraceSummary summary, @Nullable String contentDigest) {
    TraceStatistics counts = summary.counts();
    BlockReuse reuse = summary.reuse();
    Map<String, @Nullable Object> root = new LinkedHashMap<>();
    root.put("schemaVersion", SCHEMA_VERSION);
    root.put("format", summary.provenance().format());
    if (contentDigest != null) {
      root.put("content_digest", contentDigest);
    }
    root.put("requests", counts.requests());
    root.put("sessions", counts.sessions());
    root.put("sub_agent_requests", counts.subAgentRequests());
    root.put("input_tokens_total", counts.inputTokens());
    root.put("output_tokens_total", counts.outputTokens());
    root.put("span_s", number(summary.spanNanos() / 1e9));
    Map<String, Object> distributions = new LinkedHashMap<>();
    summary
        .distributions()
        .forEach((number, values) -> distributions.put(number.key(), distribution(values)));
    root.put("distributions", distributions);
    root.put("sessions_at_once", concurrency(summary.sessions()));
    root.put("requests_at_once", concurrency(summary.inFlight()));
    root.put("reuse", reuse == null ? null : reuse(counts, reuse));
    root.put("routing", reuse == null ? null : routing(reuse));
    root.put("trace", summary.description().tree());
    return JsonText.of(root);
  }

  private static Map<String, @Nullable Object> reuse(TraceStatistics counts, BlockReuse reuse) {
    Map<String, @Nullable Object> tree = new LinkedHashMap<>();
    tree.put("blocks_distinct", counts.uniqueBlocks());
    tree.put("blocks_sent", counts.promptBlocks());
    tree.put("blocks_share", number(counts.reusedBlockShare()));
    if (counts.unidentifiedTokens() > 0) {
      tree.put("unidentified_share", number(counts.unidentifiedShare()));
    }
    tree.put("share", number(reuse.acrossSessions()));
    tree.put("same_session_share", number(counts.sessionReusedShare()));
    List<Object> curve = new ArrayList<>();
    for (int i = 0; i < BlockReuse.TIMES_TO_LIVE.size(); i++) {
      Duration time = BlockReuse.TIMES_TO_LIVE.get(i);
      boolean forever = i == BlockReuse.TIMES_TO_LIVE.size() - 1;
      Map<String, @Nullable Object> point = new LinkedHashMap<>();
      point.put("kept_s", forever ? null : time.toSeconds());
      point.put("share", number(reuse.hitShares()[i]));
      point.put(
          "working_set_tokens",
          i < reuse.workingSetTokens().length ? number(reuse.workingSetTokens()[i]) : null);
      curve.add(point);
    }
    tree.put("by_time_kept", curve);
    return tree;
  }

  private static Map<String, @Nullable Object> routing(BlockReuse reuse) {
    Map<String, @Nullable Object> tree = new LinkedHashMap<>();
    List<Object> workers = new ArrayList<>();
    for (int i = 0; i < BlockReuse.WORKERS.size(); i++) {
      Map<String, @Nullable Object> point = new LinkedHashMap<>();
      point.put("workers", BlockReuse.WORKERS.get(i));
      point.put("random_share", number(reuse.placed()[i]));
      point.put("upside_share", number(reuse.upside(i)));
      point.put("requests_share", number(reuse.choice()[i]));
      workers.add(point);
    }
    tree.put("by_workers", workers);
    return tree;
  }

  private static Map<String, @Nullable Object> distribution(Distribution numbers) {
    Map<String, @Nullable Object> tree = new LinkedHashMap<>();
    tree.put("count", numbers.count());
    tree.put("mean", number(numbers.mean()));
    tree.put("p10", number(numbers.p10()));
    tree.put("p50", number(numbers.p50()));
    tree.put("p90", number(numbers.p90()));
    tree.put("p99", number(numbers.p99()));
    tree.put("max", number(numbers.max()));
    return tree;
  }

  private static @Nullable Map<String, @Nullable Object> concurrency(
      @Nullable Concurrency numbers) {
    if (numbers == null) {
      return null;
    }
    Map<String, @Nullable Object> tree = new LinkedHashMap<>();
    tree.put("mean", number(numbers.mean()));
    tree.put("max", numbers.most());
    return tree;
  }

  static @Nullable BigDecimal number(double value) {
    if (!Double.isFinite(value)) {
      return null;
    }
    BigDecimal rounded = new BigDecimal(value).round(DIGITS);
    return rounded.signum() == 0 ? BigDecimal.ZERO : rounded.stripTrailingZeros();
  }
}

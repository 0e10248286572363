package io.orrery.traces.synthesis;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What root sessions are like, or those that they start. Times are ns.
 *
 * @param kinds at least one; their shares sum to 1
 * @param beginnings what first prompts share, parents first
 * @param kept share of the blocks before that a turn keeps that does not keep its context; null
 *     where there is none
 * @param rewritten its length over the one before; null where there is none
 * @param growth of turns that hold prompt and output before; null where there is none
 * @param keptOutput tokens beyond the prompt before over the output before, of others that keep
 *     their context, at most 1; null where there is none
 * @param compaction what happens to contexts that have become too long; null where it is not known
 * @param total recorded time of a request; null where there is none
 */
public record SessionShape(
    List<SessionKind> kinds,
    List<Beginning> beginnings,
    @Nullable Knots kept,
    @Nullable Knots rewritten,
    @Nullable Growth growth,
    @Nullable Knots keptOutput,
    @Nullable Compaction compaction,
    @Nullable Knots total) {
  public SessionShape {
    kinds = List.copyOf(kinds);
    beginnings = List.copyOf(beginnings);
    if (kinds.isEmpty()) {
      throw new IllegalArgumentException("kinds: expected at least one");
    }
    double sum = 0;
    for (SessionKind kind : kinds) {
      sum += kind.share();
      if (kind.beginning() >= beginnings.size()) {
        throw new IllegalArgumentException("kinds: expected beginnings that there are");
      }
    }
    if (!(Math.abs(sum - 1) < 1e-6)) {
      throw new IllegalArgumentException("kinds: expected shares that sum to 1, found " + sum);
    }
    for (int i = 0; i < beginnings.size(); i++) {
      if (beginnings.get(i).parent() >= i) {
        throw new IllegalArgumentException("beginnings: expected parents first");
      }
    }
  }
}

package io.orrery.scenarios.fidelity;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A measurement beside what was told of it.
 *
 * @param configuration what was measured
 * @param measured what it took
 * @param repeats how often it was measured, 0 where unknown
 * @param ttftSpread relative spread of the repeats' time to first token, NaN for a single one
 * @param tpotSpread the same of the time per output token
 * @param told what was told, by the ways that apply
 * @param note what the engine was started with that the replay lacks, so that no constant is fitted
 *     to the row; empty for nothing
 */
public record FidelityRow(
    Configuration configuration,
    Told measured,
    int repeats,
    double ttftSpread,
    double tpotSpread,
    Map<Judgement, Told> told,
    String note) {
  public FidelityRow {
    told = Collections.unmodifiableMap(new EnumMap<>(told));
  }

  /**
   * How the row is judged where one figure must do: by constants that were fitted without it, if
   * that is possible at all.
   */
  public Judgement judgement() {
    for (Judgement held :
        new Judgement[] {
          Judgement.LEAVE_MODEL_OUT, Judgement.FIRST_HALF, Judgement.LEAVE_GPU_OUT
        }) {
      if (told.containsKey(held)) {
        return held;
      }
    }
    return Judgement.SHIPPED;
  }

  /** The relative error of a metric under a judgement, NaN where that does not apply. */
  public double error(Metric metric, Judgement judgement) {
    return Math.abs(ratio(metric, judgement) - 1);
  }

  /** Told over measured, NaN where the judgement does not apply. */
  public double ratio(Metric metric, Judgement judgement) {
    @Nullable Told here = told.get(judgement);
    return here == null ? Double.NaN : metric.of(here) / metric.of(measured);
  }
}

package io.orrery.engine.reference;

import io.orrery.engine.Draws;
import io.orrery.engine.scheduler.Speculation;
import java.util.List;

/** Which drafted tokens a step accepts: drawn one by one, or as many as are expected. */
final class ReferenceAcceptance {
  private final Speculation speculation;
  private final Draws luck;

  ReferenceAcceptance(Speculation speculation, long seed) {
    this.speculation = speculation;
    this.luck = new Draws(seed, "engine.speculation");
  }

  /** How many of the drafted tokens behind the known ones are accepted. */
  int accepted(ReferenceRequest request, int drafts) {
    List<Double> chances = speculation.acceptance();
    if (speculation.mode() == Speculation.Mode.SAMPLED) {
      for (int i = 0; i < drafts; i++) {
        if (luck.uniform(request.row, request.outputs + i) >= chances.get(i)) {
          return i;
        }
      }
      return drafts;
    }
    double reached = 1;
    double expected = 0;
    for (double chance : chances.subList(0, drafts)) {
      reached *= chance;
      expected += reached;
    }
    request.owed += expected;
    int whole = (int) Math.floor(request.owed);
    request.owed -= whole;
    return whole;
  }
}

package io.orrery.engine.reference;

import io.orrery.engine.Draws;
import io.orrery.engine.PoolSettings;
import io.orrery.engine.SimulationSettings;
import io.orrery.engine.cache.BlockKeys;
import io.orrery.traces.BlockView;
import java.util.ArrayList;
import java.util.List;

/** Which keys the blocks of a request have: a run's number, and apart for every copy and model. */
final class ReferenceBlockNames {
  private final BlockView view;
  private final SimulationSettings settings;

  ReferenceBlockNames(BlockView view, SimulationSettings settings) {
    this.view = view;
    this.settings = settings;
  }

  /** Spells out the runs of the trace, block by block, for the model that computes them. */
  void name(ReferenceRow row, String model) {
    List<Long> named = new ArrayList<>();
    List<String> models = settings.pools().stream().map(PoolSettings::model).distinct().toList();
    long namespace = (long) row.copy * models.size() + models.indexOf(model);
    for (int run = view.runStart(row.request); run < view.runEnd(row.request); run++) {
      for (int i = 0; i < view.runLength(run); i++) {
        named.add((namespace << 40) | (view.runFirst(run) + i));
      }
    }
    int identified = view.identifiedBlocks(row.request);
    row.promptKeys = List.copyOf(named.subList(0, identified));
    row.contextKeys = outputComesBack(row.row) ? named : row.promptKeys;
  }

  /** Whether the output of a row comes back in the next prompt as it was. */
  boolean outputComesBack(int row) {
    double probability = settings.completionReuse();
    if (probability == 0 || probability == 1) {
      return probability == 1;
    }
    return new Draws(settings.seed(), "cache.completion-reuse").uniform(row, 0) < probability;
  }

  /** The key of a block of prompt and output; private where nobody else can have it. */
  static long key(ReferenceRow row, int block) {
    if (block < row.contextKeys.size()) {
      return row.contextKeys.get(block);
    }
    return BlockKeys.PRIVATE | ((long) row.row << 24) | block;
  }

  /** Leading blocks of equal content, whichever model computes them. */
  static int common(List<Long> a, List<Long> b) {
    long content = (1L << 40) - 1;
    int count = 0;
    while (count < a.size()
        && count < b.size()
        && (a.get(count) & content) == (b.get(count) & content)) {
      count++;
    }
    return count;
  }
}

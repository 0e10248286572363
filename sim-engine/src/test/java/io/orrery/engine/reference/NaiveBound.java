package io.orrery.engine.reference;

import io.orrery.engine.reference.ReferenceSimulation.LookUp;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The most tokens that a cache which knows the future finds, token by token: each stretch between
 * two moments of a token that ends with a look-up is kept if there is room all along, those that
 * end earliest first.
 */
final class NaiveBound {
  private record Stretch(int from, int to) {}

  private final List<LookUp> events;
  private final int blockSize;

  NaiveBound(List<LookUp> events, int blockSize) {
    this.events = events;
    this.blockSize = blockSize;
  }

  /**
   * @param worker the only worker whose events count, or -1 for all
   */
  long found(int worker, long capacity) {
    Map<Long, Integer> lastMoment = new HashMap<>();
    Map<Stretch, Integer> tokens = new HashMap<>();
    for (int moment = 0; moment < events.size(); moment++) {
      LookUp event = events.get(moment);
      if (worker >= 0 && event.worker() != worker) {
        continue;
      }
      for (int i = 0; i < event.keys().size(); i++) {
        long key = event.keys().get(i);
        int wanted = (int) Math.min(blockSize, event.tokens() - (long) i * blockSize);
        if (event.tokens() >= 0 && lastMoment.containsKey(key)) {
          tokens.merge(new Stretch(lastMoment.get(key), moment), wanted, Integer::sum);
        }
        lastMoment.put(key, moment);
      }
    }
    long[] kept = new long[events.size()];
    List<Stretch> stretches = new ArrayList<>(tokens.keySet());
    stretches.sort(Comparator.comparingInt(Stretch::to).thenComparing(Stretch::from));
    long found = 0;
    for (Stretch stretch : stretches) {
      long room = tokens.get(stretch);
      for (int t = stretch.from(); t < stretch.to(); t++) {
        room = Math.min(room, capacity - kept[t]);
      }
      for (int t = stretch.from(); t < stretch.to(); t++) {
        kept[t] += room;
      }
      found += room;
    }
    return found;
  }
}

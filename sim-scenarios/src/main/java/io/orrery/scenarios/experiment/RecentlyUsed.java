package io.orrery.scenarios.experiment;

import java.util.LinkedHashMap;
import java.util.Map;

/** Keeps what was used last, so that ten thousand different things take the memory of a few. */
final class RecentlyUsed<K, V> extends LinkedHashMap<K, V> {
  private static final long serialVersionUID = 1L;

  private final int kept;

  RecentlyUsed(int kept) {
    super(16, 0.75f, true);
    this.kept = kept;
  }

  @Override
  protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
    return size() > kept;
  }
}

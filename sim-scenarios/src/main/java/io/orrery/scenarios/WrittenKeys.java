package io.orrery.scenarios;

import io.orrery.scenarios.text.KeyPath;
import io.orrery.scenarios.text.Problems;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The keys that settings write, each by one path however it was written: {@code
 * cluster.pools.main.workers} is {@code cluster.pools[0].workers}, and a section with keys in it is
 * those keys. A named item that nobody knows keeps its name, as {@code
 * cluster.pools[main].workers}.
 *
 * @param keys that get a value
 * @param lists that are replaced as a whole, so that what was written into them before is gone
 */
public record WrittenKeys(Set<KeyPath> keys, Set<KeyPath> lists) {
  /** Nothing written. */
  public static final WrittenKeys NONE = new WrittenKeys(Set.of(), Set.of());

  /**
   * What a layer writes.
   *
   * @param overlays what may lie below it, to tell which item of a list a name means
   */
  static WrittenKeys of(Iterable<Assignment> layer, Collection<Overlay> overlays) {
    Set<KeyPath> keys = new LinkedHashSet<>();
    Set<KeyPath> lists = new LinkedHashSet<>();
    for (Assignment assignment : layer) {
      if (assignment instanceof Assignment.ReplaceList list) {
        lists.add(list.path());
      } else if (assignment instanceof Assignment.Put put) {
        for (Overlay overlay : overlays) {
          keys.add(overlay.resolve(put, new Problems()).orElse(put.path()));
        }
      }
    }
    return new WrittenKeys(keys, lists);
  }

  /** Both. */
  public WrittenKeys and(WrittenKeys more) {
    Set<KeyPath> bothKeys = new LinkedHashSet<>(keys);
    bothKeys.addAll(more.keys);
    Set<KeyPath> bothLists = new LinkedHashSet<>(lists);
    bothLists.addAll(more.lists);
    return new WrittenKeys(bothKeys, bothLists);
  }

  /** The keys of what was written before that are written again by these, or go with a list. */
  public Set<KeyPath> clashes(WrittenKeys before) {
    Set<KeyPath> clashes = new LinkedHashSet<>();
    for (KeyPath key : before.keys) {
      if (keys.contains(key) || lists.stream().anyMatch(key::startsWith)) {
        clashes.add(key);
      }
    }
    return clashes;
  }
}

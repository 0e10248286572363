package io.orrery.scenarios.experiment;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a run's step times rest on beside what ships.
 *
 * @param profile a profile, null without one
 * @param tables SHA-256 digests of measured tables by GPU, see {@link
 *     io.orrery.models.kernels.PerformanceData#digest}; empty without them
 * @param models SHA-256 digests of the files that describe models, by pool; empty without them
 */
public record StepTimeSources(
    @Nullable LoadedProfile profile,
    SortedMap<String, String> tables,
    SortedMap<String, String> models) {
  public StepTimeSources {
    tables = Collections.unmodifiableSortedMap(new TreeMap<>(tables));
    models = Collections.unmodifiableSortedMap(new TreeMap<>(models));
  }

  /** All digests, that of the profile first; empty for what ships. */
  public List<String> digests() {
    List<String> digests = new ArrayList<>();
    if (profile != null) {
      digests.add(profile.sha256());
    }
    digests.addAll(tables.values());
    digests.addAll(models.values());
    return digests;
  }
}

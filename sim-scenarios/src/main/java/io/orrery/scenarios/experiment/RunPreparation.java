package io.orrery.scenarios.experiment;

import io.orrery.scenarios.Variant;
import io.orrery.scenarios.text.ScenarioException;
import io.orrery.traces.BlockView;
import io.orrery.traces.Trace;
import io.orrery.traces.TraceException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Prepares runs one by one. Those that replay the same trace share it, parsed once, and equal
 * workers share their step times; of traces that differ only the last few are kept. May be used by
 * several threads.
 */
public final class RunPreparation {
  private static final int KEPT_TRACES = 8;

  private final ClusterMapping mapping = new ClusterMapping();
  private final TraceOpener opener;
  private final Map<String, Loaded> traces = new RecentlyUsed<>(KEPT_TRACES);

  /** Prepares runs whose traces are files of this machine. */
  public RunPreparation() {
    this(TraceOpener.LOCAL);
  }

  /**
   * Prepares runs.
   *
   * @param opener reads their traces
   */
  public RunPreparation(TraceOpener opener) {
    this.opener = opener;
  }

  /** A trace, and its blocks as engines with blocks of some size see them. */
  private record Loaded(Trace trace, Map<Integer, BlockView> views) {}

  /**
   * Prepares a variant's run.
   *
   * @throws ScenarioException if the variant asks for something that does not exist, does not fit,
   *     or does not go with its trace
   * @throws TraceException if its trace cannot be read
   */
  public ScenarioRun run(Variant variant) {
    return run(variant, cluster(variant));
  }

  /**
   * Prepares a variant's run on workers whose passes last longer, or shorter, than their step-time
   * model says.
   *
   * @param factor above 0; 1.1 is 10 % longer
   */
  public ScenarioRun run(Variant variant, double factor) {
    Cluster cluster = cluster(variant);
    return run(variant, factor == 1 ? cluster : cluster.slowed(factor));
  }

  synchronized Cluster cluster(Variant variant) {
    return mapping.cluster(variant);
  }

  synchronized ScenarioRun run(Variant variant, Cluster cluster) {
    TraceMapping source = new TraceMapping(variant);
    Loaded loaded =
        traces.computeIfAbsent(
            source.key(), key -> new Loaded(source.readTrace(opener), new LinkedHashMap<>()));
    Trace trace = loaded.trace();
    int identity = SchedulerMapping.identityBlockSize(variant.spec().engine(), trace.blockSize());
    BlockView view = loaded.views().computeIfAbsent(identity, size -> source.view(trace));
    return new ScenarioRun(variant, trace, view, cluster);
  }
}

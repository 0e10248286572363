package io.orrery.scenarios.experiment;

import io.orrery.engine.Simulation;
import io.orrery.engine.SimulationSettings;
import io.orrery.engine.record.Recorder;
import io.orrery.engine.record.RunResult;
import io.orrery.models.Deployment;
import io.orrery.models.StepTimeProfile;
import io.orrery.scenarios.Variant;
import io.orrery.scenarios.spec.ScenarioSpec;
import io.orrery.traces.BlockView;
import io.orrery.traces.Trace;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;

/** One variant with everything that it needs to be simulated. */
public final class ScenarioRun {
  private final Variant variant;
  private final Trace trace;
  private final BlockView view;
  private final SimulationSettings settings;
  private final long expectedRequests;
  private final List<String> assumptions;
  private final StepTimeSources sources;
  private final List<Deployment> deployments;
  private final ClusterCost cost;

  ScenarioRun(Variant variant, Trace trace, BlockView view, Cluster cluster) {
    this.variant = variant;
    this.trace = trace;
    this.view = view;
    ScenarioSpec spec = variant.spec();
    DispatchMapping dispatch = new DispatchMapping(variant, trace);
    settings =
        new SimulationSettings(
            dispatch.settings(),
            cluster.pools(),
            cluster.routing(),
            cluster.routingParameters(),
            cluster.admission(),
            spec.completionReuse(),
            cluster.router(),
            spec.simulatedTimeNanos().orElse(Long.MAX_VALUE),
            spec.seed());
    sources = cluster.sources();
    deployments = cluster.deployments();
    cost = cluster.cost();
    expectedRequests = dispatch.expectedRequests();
    assumptions = new ArrayList<>(dispatch.assumptions());
    assumptions.addAll(cluster.assumptions());
    assumptions.addAll(TraceMapping.assumptions(spec, trace));
  }

  /** The variant. */
  public Variant variant() {
    return variant;
  }

  /** What it replays. */
  public Trace trace() {
    return trace;
  }

  /** The trace's blocks as the engine sees them. */
  public BlockView view() {
    return view;
  }

  /** What the engine is told. */
  public SimulationSettings settings() {
    return settings;
  }

  /** Requests that it will send if nothing stops it early; 0 if only time stops it. */
  public long expectedRequests() {
    return expectedRequests;
  }

  /** The same run on workers with this profile; without kernels in it, with those of their own. */
  public ScenarioRun with(StepTimeProfile instead) {
    return new ScenarioRun(variant, trace, view, new ClusterMapping(instead).cluster(variant));
  }

  /** Whose kernels its step times stand for: vllm or trtllm. */
  public String kernels() {
    return StepTimes.kernels(variant.spec());
  }

  /** What its step times rest on beside what ships. */
  public StepTimeSources sources() {
    return sources;
  }

  /** A worker of each pool. */
  public List<Deployment> deployments() {
    return deployments;
  }

  /** What the cluster costs. */
  public ClusterCost cost() {
    return cost;
  }

  /** What was decided or assumed on the user's behalf, a sentence each, in a fixed order. */
  public List<String> assumptions() {
    return List.copyOf(assumptions);
  }

  /**
   * Simulates the variant; the same result every time.
   *
   * @param progress is told now and then how many requests have ended
   */
  public RunResult simulate(LongConsumer progress) {
    return new Simulation(trace, view, settings).run(progress);
  }

  /**
   * Simulates the variant; the same result every time.
   *
   * @param recorder hears what becomes of every request
   * @param progress is told now and then how many requests have ended
   */
  public RunResult simulate(Recorder recorder, LongConsumer progress) {
    return new Simulation(trace, view, settings).run(recorder, progress);
  }
}

package io.orrery.bench;

import io.orrery.engine.DispatchSettings;
import io.orrery.engine.Simulation;
import io.orrery.engine.record.RunResult;
import io.orrery.models.Deployment;
import io.orrery.traces.Trace;
import io.orrery.traces.synthesis.AgentTraceSynthesizer;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Synthetic requests on 16 workers: single short ones in an open loop, and chat sessions of some
 * 5,000 tokens a turn in 4,096 lanes. Divide the time by the requests: the cost of a request stays
 * flat. The heap is held at 1 GB.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 2)
@Measurement(iterations = 3)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xmx1g", "-XX:+UseSerialGC"})
public class ScaleBenchmark {
  @Param({"10000", "100000", "1000000"})
  int requests;

  @Param({"short", "chat"})
  String workload;

  @Param({"round-robin", "kv-aware"})
  String policy;

  private Simulation simulation;

  @Setup
  public void build() {
    boolean chat = workload.equals("chat");
    Trace trace = chat ? AgentTraceSynthesizer.trace(1, requests) : ShortRequests.trace(requests);
    Deployment llama = BenchRuns.llama();
    simulation =
        BenchRuns.simulation(
            trace,
            chat
                ? new DispatchSettings.Lanes(4096, false, false)
                : new DispatchSettings.Timestamps(1),
            16,
            BenchRuns.scheduler(64, BenchRuns.kvBlocks(llama, 64), true),
            BenchRuns.roofline(llama),
            policy);
  }

  @Benchmark
  public RunResult replay() {
    return simulation.run();
  }
}

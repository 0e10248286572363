package io.orrery.bench;

import io.orrery.engine.DispatchSettings;
import io.orrery.engine.Simulation;
import io.orrery.engine.record.RunResult;
import io.orrery.models.Deployment;
import io.orrery.models.StepTimeModel;
import io.orrery.traces.Trace;
import io.orrery.traces.TraceBuilder;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One simulated step inside a segment: a batch that decodes 100,000 tokens each, planned, carried
 * out and written down.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xmx1g", "-XX:+UseSerialGC"})
public class SegmentBenchmark {
  private static final int STEPS = 100_000;

  @Param({"1", "16", "64"})
  int batch;

  @Param({"polynomial", "roofline", "law"})
  String stepTime;

  @Param({"vllm", "sglang", "trtllm"})
  String engine;

  private Simulation simulation;

  @Setup
  public void build() {
    TraceBuilder builder = Trace.builder(64);
    for (int i = 0; i < batch; i++) {
      builder.session("s" + i).request("r" + i).input(100).output(STEPS).arrival(0);
    }
    Deployment qwen = BenchRuns.qwen();
    StepTimeModel model =
        stepTime.equals("polynomial") ? BenchRuns.polynomial() : BenchRuns.stepTime(stepTime, qwen);
    simulation =
        BenchRuns.simulation(
            builder.build(),
            new DispatchSettings.Timestamps(1),
            1,
            BenchRuns.scheduler(64, 200_000, true).withEngine(BenchRuns.engine(engine)),
            model,
            "round-robin");
  }

  @Benchmark
  @OperationsPerInvocation(STEPS)
  public RunResult step() {
    return simulation.run();
  }
}

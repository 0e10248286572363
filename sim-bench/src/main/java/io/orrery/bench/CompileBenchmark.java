package io.orrery.bench;

import io.orrery.models.Deployment;
import io.orrery.models.StepTimeModel;
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
 * Step times of one pool compiled from the laws and knots that ship, which are read once before.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xmx1g", "-XX:+UseSerialGC"})
public class CompileBenchmark {
  @Param({"llama-3.1-70b", "minimax-m2", "nemotron-3-super-120b-a12b", "deepseek-v3"})
  String model;

  private Deployment worker;

  @Setup
  public void choose() {
    worker = BenchRuns.worker(model, 8);
  }

  @Benchmark
  public StepTimeModel law() {
    return BenchRuns.stepTime("law", worker);
  }
}

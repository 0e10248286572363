package io.orrery.bench;

import io.orrery.engine.DispatchSettings;
import io.orrery.engine.Simulation;
import io.orrery.engine.record.RunResult;
import io.orrery.models.Deployment;
import io.orrery.traces.Trace;
import io.orrery.traces.TraceReaders;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Whole replays of recorded traces, without reading them. Needs {@code -Dorrery.data=DIR}. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xmx1g", "-XX:+UseSerialGC"})
public class ReplayBenchmark {
  /** The Mooncake conversation trace: 12,031 requests, 2.8 M steps on 8 round-robin workers. */
  @State(Scope.Benchmark)
  public static class Conversation {
    Simulation simulation;

    @Setup
    public void read() {
      Trace trace = TraceReaders.read(BenchRuns.data("mooncake/conversation_trace.jsonl"));
      simulation =
          BenchRuns.simulation(
              trace,
              new DispatchSettings.Timestamps(1),
              8,
              BenchRuns.scheduler(512, 2_048, false),
              BenchRuns.polynomial(),
              "round-robin");
    }
  }

  /** 373 Claude Code sessions: 26,593 requests, 3.3 G input tokens, 12 M output tokens. */
  @State(Scope.Benchmark)
  public static class ClaudeCode {
    Simulation simulation;

    @Setup
    public void read() {
      Trace trace = TraceReaders.read(BenchRuns.data("claude-code/claude-code-373.jsonl.zst"));
      Deployment qwen = BenchRuns.qwen();
      simulation =
          BenchRuns.simulation(
              trace,
              new DispatchSettings.Lanes(128, false, false),
              16,
              BenchRuns.scheduler(64, BenchRuns.kvBlocks(qwen, 64), true),
              BenchRuns.roofline(qwen),
              "kv-aware");
    }
  }

  @Benchmark
  public RunResult conversation(Conversation state) {
    return state.simulation.run();
  }

  @Benchmark
  public RunResult claudeCode(ClaudeCode state) {
    return state.simulation.run();
  }
}

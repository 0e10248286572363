package io.orrery.bench;

import io.orrery.traces.Trace;
import io.orrery.traces.TraceFormat;
import io.orrery.traces.TraceOptions;
import io.orrery.traces.TraceReaders;
import io.orrery.traces.TraceWriter;
import io.orrery.traces.TraceWriters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Reading traces: bytes of text and requests per second of each reader, warm. Every format is
 * written from one trace where there is a writer; the others are read from recorded files. Needs
 * {@code -Dorrery.data=DIR}.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xmx2g", "-XX:+UseSerialGC"})
public class TraceReadingBenchmark {
  /** What is read: a recorded file, or the conversation trace in another format. */
  @Param({
    "mooncake/conversation_trace.jsonl",
    "claude-code/claude-code-40.jsonl.gz",
    "azure/AzureLLMInferenceTrace_code.csv",
    "as orrery",
    "as dynamo",
    "as weka"
  })
  public String source = "";

  private Path file = Path.of("");
  private Path folder = Path.of("");
  private TraceOptions options = TraceOptions.defaults();

  /** What was read, per second. */
  @State(Scope.Thread)
  @AuxCounters(AuxCounters.Type.OPERATIONS)
  public static class Read {
    /** Requests. */
    public long requests;

    /** Bytes as stored. */
    public long bytes;

    /** Begins an iteration. */
    @Setup(Level.Iteration)
    public void clear() {
      requests = 0;
      bytes = 0;
    }
  }

  /** Writes what is not there. */
  @Setup
  public void prepare() throws IOException {
    folder = Files.createTempDirectory("orrery-bench");
    if (!source.startsWith("as ")) {
      file = BenchRuns.data(source);
      return;
    }
    TraceFormat format = TraceFormat.named(source.substring("as ".length()));
    TraceWriter writer = TraceWriters.of(format).orElseThrow();
    file = folder.resolve("trace" + writer.nameEnding());
    writer.write(TraceReaders.read(BenchRuns.data("mooncake/conversation_trace.jsonl")), file);
    options = options.withFormat(format);
  }

  /** Removes what was written. */
  @TearDown
  public void clean() throws IOException {
    if (file.startsWith(folder)) {
      Files.deleteIfExists(file);
    }
    Files.delete(folder);
  }

  @Benchmark
  public Trace read(Read counters) throws IOException {
    Trace trace = TraceReaders.read(List.of(file), options);
    counters.requests += trace.requestCount();
    counters.bytes += Files.size(file);
    return trace;
  }
}

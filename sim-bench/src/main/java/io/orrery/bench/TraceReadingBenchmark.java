package io.orrery.bench;

import com.sun.management.OperatingSystemMXBean;
import io.orrery.traces.Trace;
import io.orrery.traces.TraceFormat;
import io.orrery.traces.TraceOptions;
import io.orrery.traces.TraceReaders;
import io.orrery.traces.TraceWriter;
import io.orrery.traces.TraceWriters;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;
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
 * Reading traces: bytes of text and requests of each reader, warm, per second and, on a machine
 * that does other things as well, per nanosecond of processor time of the whole process. Formats
 * are read from recorded files, from the conversation trace written in them, or from rows that are
 * repeated under other ids. All cases together take about seven minutes. Needs {@code
 * -Dorrery.data=DIR}.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 4, time = 2)
@Measurement(iterations = 3, time = 2)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xmx2g", "-XX:+UseSerialGC"})
public class TraceReadingBenchmark {
  static final String AS = "as ";
  static final String REPEATED = "repeated ";

  private static final OperatingSystemMXBean PROCESS =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  /** What is read: a recorded file, the conversation trace in a format, or repeated rows. */
  @Param({
    "mooncake/conversation_trace.jsonl",
    "claude-code/claude-code-40.jsonl.gz",
    "azure/AzureLLMInferenceTrace_code.csv",
    "as orrery",
    "as dynamo",
    "as weka",
    "repeated mooncake",
    "repeated mooncake-delta",
    "repeated agentic-mooncake",
    "repeated bailian",
    "repeated dynamo-agent",
    "repeated applied-compute",
    "repeated tracelab",
    "repeated session-rounds",
    "repeated burstgpt",
    "repeated ragpulse",
    "repeated vidur",
    "repeated splitwise",
    "repeated aiperf",
    "repeated aiperf-inputs",
    "repeated blis",
    "repeated benchmark",
    "repeated spans",
    "repeated mapped"
  })
  public String source = "";

  /** How many threads may parse; 0 for as many as there are processors. */
  @Param("0")
  public int threads;

  private Path file = Path.of("");
  private Path folder = Path.of("");
  private long textBytes;
  private TraceOptions options = TraceOptions.defaults();

  /** What was read, per second. */
  @State(Scope.Thread)
  @AuxCounters(AuxCounters.Type.OPERATIONS)
  public static class Read {
    /** Requests. */
    public long requests;

    /** Bytes of text; of Parquet as stored. */
    public long bytes;

    /** Processor time of all threads. */
    public long processorNanos;

    /** Begins an iteration. */
    @Setup(Level.Iteration)
    public void clear() {
      requests = 0;
      bytes = 0;
      processorNanos = 0;
    }
  }

  /** Writes what is not there. */
  @Setup
  public void prepare() throws IOException {
    choose();
    try (InputStream stored = Files.newInputStream(file);
        InputStream text = file.toString().endsWith(".gz") ? new GZIPInputStream(stored) : stored) {
      textBytes = text.transferTo(OutputStream.nullOutputStream());
    }
  }

  private void choose() throws IOException {
    folder = Files.createTempDirectory("orrery-bench");
    options = withThreads(TraceOptions.defaults());
    if (source.startsWith(REPEATED)) {
      String name = source.substring(REPEATED.length());
      file = folder.resolve("trace");
      options = withThreads(RepeatedRows.options(name));
      RepeatedRows.write(name, RepeatedRows.TIMES, file);
      return;
    }
    if (!source.startsWith(AS)) {
      file = BenchRuns.data(source);
      return;
    }
    TraceFormat format = TraceFormat.named(source.substring(AS.length()));
    TraceWriter writer = TraceWriters.of(format).orElseThrow();
    file = folder.resolve("trace" + writer.nameEnding());
    writer.write(TraceReaders.read(BenchRuns.data("mooncake/conversation_trace.jsonl")), file);
    options = options.withFormat(format);
  }

  private TraceOptions withThreads(TraceOptions some) {
    return threads == 0 ? some : some.withThreads(threads);
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
    long before = PROCESS.getProcessCpuTime();
    Trace trace = TraceReaders.read(List.of(file), options);
    counters.processorNanos += PROCESS.getProcessCpuTime() - before;
    counters.requests += trace.requestCount();
    counters.bytes += textBytes;
    return trace;
  }
}

package io.orrery.traces;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Thousands of damaged files: each is either a sound trace or a {@link TraceException} that names
 * the file, in bounded time, and with memory that does not grow beyond the input: what the reading
 * thread allocates is counted, and a whole process with all its threads has little of it.
 */
class MutatedTraceTest {
  private static final int ROUNDS = 400;

  /** Buffers that every read has, a few times over: a damaged file is read again and again. */
  private static final long FREE_BYTES = 64L << 20;

  /** Columns, tables of names, and the texts themselves. */
  private static final long BYTES_PER_BYTE = 100;

  /** For all threads: a text of the 20 MB that are allowed takes 40 while it is looked at. */
  private static final int HEAP_MEBIBYTES = 96;

  private static final long MAPPED_BYTES = 256L << 20;

  private static final com.sun.management.ThreadMXBean THREADS =
      (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

  @TempDir Path folder;

  static Stream<TraceFormat> formats() {
    return FormatConformanceTest.formats();
  }

  /** Hangs end after a minute, each in a thread of its own. */
  @ParameterizedTest
  @MethodSource("formats")
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void isASoundTraceOrATraceException(TraceFormat format) throws IOException {
    SplittableRandom random = new SplittableRandom(format.ordinal());
    byte[] original = FormatSamples.of(format).text().getBytes(UTF_8);
    Path file = folder.resolve("mutated");
    read(Files.write(file, original), format, false);
    int sound = 0;
    for (int round = 0; round < ROUNDS; round++) {
      byte[] bytes = original;
      for (int edits = 1 + random.nextInt(3); edits > 0; edits--) {
        bytes = Mutations.mutated(bytes, random);
      }
      Files.write(file, bytes);
      sound += isSound(file, format, round % 4 == 3) ? 1 : 0;
    }
    // some edits only change a number or an unused key
    assertThat(sound).isBetween(ROUNDS / 100, ROUNDS - ROUNDS / 100);
  }

  /** What is allocated grows with what is read, whatever numbers stand in it. */
  @ParameterizedTest
  @MethodSource("formats")
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void memoryIsLinearInTheInput(TraceFormat format) throws IOException {
    Path file = folder.resolve("rows");
    read(Files.writeString(file, FormatRows.of(format, 10, 64)), format, false);
    for (int firstTokens : new int[] {64, 999_000_000}) {
      boolean texts = format == TraceFormat.AIPERF_INPUTS;
      Files.writeString(file, FormatRows.of(format, 5_000, texts ? 64 : firstTokens));
      long allocated = allocatedBytes();
      try {
        assertThat(read(file, format, false).requestCount()).isEqualTo(5_000);
      } catch (TraceException e) {
        // Blocks made up of lengths may be more than there are numbers for.
        assertThat(e).hasMessageContaining("found more than " + Integer.MAX_VALUE + " blocks");
        assertThat(firstTokens).isGreaterThan(64);
      }
      assertWithinBound(file, allocatedBytes() - allocated);
    }
  }

  /** What its threads take together; columns outside of the heap are counted at its end. */
  @Test
  @Timeout(300)
  void aProcessWithLittleMemoryReadsThemAll() throws IOException, InterruptedException {
    Path output = folder.resolve("output");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + HEAP_MEBIBYTES + "m",
                "-XX:MaxDirectMemorySize=8m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                LittleMemory.class.getName(),
                folder.toString())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(process.waitFor(240, TimeUnit.SECONDS)).isTrue();
    } finally {
      process.destroyForcibly();
    }

    String text = Files.readString(output);
    assertThat(text).startsWith("mapped ");
    assertThat(process.exitValue()).isZero();
    assertThat(Long.parseLong(text.strip().substring("mapped ".length()))).isLessThan(MAPPED_BYTES);
  }

  /** Reads the file as the format is told, or as asked for, and with bad records kept aside. */
  private static boolean isSound(Path file, TraceFormat format, boolean keepAside)
      throws IOException {
    long allocated = allocatedBytes();
    Trace trace = null;
    try {
      trace = read(file, format, keepAside);
    } catch (TraceException e) {
      assertThat(e).hasMessageContaining("found ").hasMessageContaining(", expected ");
    }
    assertWithinBound(file, allocatedBytes() - allocated);
    if (trace != null) {
      RealTracesTest.assertInvariants(trace);
    }
    return trace != null;
  }

  private static Trace read(Path file, TraceFormat format, boolean keepAside) {
    // One thread, so that what it allocates is all.
    TraceOptions options = FormatSamples.options(format).withThreads(1);
    if (keepAside) {
      options = options.withFormat(format).withBadRecords(BadRecords.DROPPED);
    }
    return TraceReaders.read(List.of(file), options);
  }

  private static void assertWithinBound(Path file, long allocated) throws IOException {
    assertThat(allocated)
        .as("bytes allocated for a file of " + Files.size(file))
        .isLessThan(FREE_BYTES + BYTES_PER_BYTE * Files.size(file));
  }

  private static long allocatedBytes() {
    return THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
  }
}

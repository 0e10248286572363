package io.orrery.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.traces.Trace;
import io.orrery.traces.TraceFormat;
import io.orrery.traces.TraceReaders;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openjdk.jmh.annotations.Param;

/** What is measured is all that can be read. */
class TraceReadingBenchmarkTest {
  /** The formats of the recorded files, by the folders that they are in. */
  private static final Map<String, TraceFormat> RECORDED =
      Map.of(
          "mooncake/", TraceFormat.MOONCAKE,
          "claude-code/", TraceFormat.WEKA,
          "azure/", TraceFormat.AZURE);

  @TempDir Path folder;

  @Test
  void everyFormatIsMeasured() throws IOException, NoSuchFieldException {
    Set<TraceFormat> measured = EnumSet.noneOf(TraceFormat.class);
    for (String source : sources()) {
      measured.add(format(source));
    }

    assertThat(measured)
        .as("a new format is added to the sources of TraceReadingBenchmark and to RepeatedRows")
        .containsExactlyInAnyOrder(TraceFormat.values());
  }

  private TraceFormat format(String source) throws IOException {
    if (source.startsWith(TraceReadingBenchmark.AS)) {
      return TraceFormat.named(source.substring(TraceReadingBenchmark.AS.length()));
    }
    if (source.startsWith(TraceReadingBenchmark.REPEATED)) {
      return TraceFormat.named(read(source).provenance().format());
    }
    return RECORDED.entrySet().stream()
        .filter(entry -> source.startsWith(entry.getKey()))
        .findFirst()
        .orElseThrow(() -> new AssertionError(source + ": name its format in this test"))
        .getValue();
  }

  /** As it will be read then, but three times the rows only. */
  private Trace read(String source) throws IOException {
    String name = source.substring(TraceReadingBenchmark.REPEATED.length());
    Path file = folder.resolve("trace");
    RepeatedRows.write(name, 3, file);
    Trace trace = TraceReaders.read(List.of(file), RepeatedRows.options(name));
    assertThat(trace.requestCount()).as(source).isGreaterThanOrEqualTo(3);
    return trace;
  }

  private static String[] sources() throws NoSuchFieldException {
    return TraceReadingBenchmark.class.getField("source").getAnnotation(Param.class).value();
  }
}

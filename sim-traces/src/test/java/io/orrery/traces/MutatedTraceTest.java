package io.orrery.traces;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Thousands of damaged files: each is either a sound trace or a {@link TraceException} that names
 * the file.
 */
class MutatedTraceTest {
  private static final int ROUNDS = 400;

  @TempDir Path folder;

  static Stream<TraceFormat> formats() {
    return FormatConformanceTest.formats();
  }

  @ParameterizedTest
  @MethodSource("formats")
  @Timeout(60)
  void isASoundTraceOrATraceException(TraceFormat format) throws IOException {
    SplittableRandom random = new SplittableRandom(format.ordinal());
    byte[] original = FormatSamples.of(format).text().getBytes(UTF_8);
    Path file = folder.resolve("mutated");
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

  /** Reads the file as the format is told, or as asked for, and with bad records kept aside. */
  private static boolean isSound(Path file, TraceFormat format, boolean keepAside) {
    TraceOptions options = FormatSamples.options(format);
    if (keepAside) {
      options = options.withFormat(format).withBadRecords(BadRecords.DROPPED);
    }
    try {
      RealTracesTest.assertInvariants(TraceReaders.read(List.of(file), options));
      return true;
    } catch (TraceException e) {
      assertThat(e).hasMessageContaining("found ").hasMessageContaining(", expected ");
      return false;
    }
  }
}

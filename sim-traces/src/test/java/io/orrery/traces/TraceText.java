package io.orrery.traces;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.airlift.compress.zstd.ZstdOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Assumptions;

/** Traces from texts in test methods, and the folder of real traces. */
final class TraceText {
  private TraceText() {}

  /** Reads lines with the defaults; the file is called {@code trace.jsonl}. */
  static Trace read(String... lines) {
    return read(TraceOptions.defaults(), lines);
  }

  static Trace read(TraceOptions options, String... lines) {
    return readBytes(options, (String.join("\n", lines) + "\n").getBytes(UTF_8));
  }

  static Trace readBytes(TraceOptions options, byte[] content) {
    try {
      Path folder = Files.createTempDirectory("orrery-trace");
      Path file = folder.resolve("trace.jsonl");
      Files.write(file, content);
      try {
        return TraceReaders.read(List.of(file), options);
      } catch (TraceException e) {
        // Only the file's own name, so that tests can write messages down.
        throw new TraceException("trace.jsonl", e.line(), e.field(), e.value(), e.expected());
      } finally {
        Files.delete(file);
        Files.delete(folder);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** That a file is refused, in a message with these words. */
  static void assertFails(byte[] content, String message) {
    assertThatThrownBy(() -> readBytes(TraceOptions.defaults(), content))
        .isInstanceOf(TraceException.class)
        .hasMessageContaining(message);
  }

  static byte[] gzip(String text) {
    return compressed(text, true);
  }

  static byte[] zstd(String text) {
    return compressed(text, false);
  }

  private static byte[] compressed(String text, boolean gzip) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream out = gzip ? new GZIPOutputStream(bytes) : new ZstdOutputStream(bytes)) {
      out.write(text.getBytes(UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /**
   * A file below {@code -Dorrery.data=DIR}; the test is skipped, saying so, where the folder is
   * absent.
   */
  static Path real(String name) {
    String folder = System.getProperty("orrery.data");
    Path path = Path.of(folder == null ? "" : folder, "traces", name);
    Assumptions.assumeTrue(
        folder != null && Files.exists(path),
        "skipped: real traces are not there (-Dorrery.data=DIR with DIR/traces/" + name + ")");
    return path;
  }
}

package io.orrery.traces.synthesis;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/**
 * The sample trace of the quickstart, {@code traces/quickstart.jsonl.gz}: stretches of sessions of
 * a coding agent at work. To write it and its description anew after a change:
 *
 * <pre>{@code
 * ./mvnw -q -pl sim-traces test -Dtest=QuickstartTraceTest -Dorrery.regenerate=true
 * }</pre>
 */
public final class QuickstartTrace {
  /** Where it stands, from the root of the repository. */
  public static final String PATH = "traces/quickstart.jsonl.gz";

  private static final long SEED = 12;
  private static final int SESSIONS = 280;
  private static final int BLOCK_SIZE = 128;
  private static final int LONGEST_STRETCH = 28;
  private static final Duration LONGEST_BREAK = Duration.ofMinutes(10);

  private QuickstartTrace() {}

  /** How it is made. */
  public static AgentTraceOptions options() {
    return AgentTraceOptions.wholeSessions(SEED, SESSIONS)
        .withBlockSize(BLOCK_SIZE)
        .withStretches(LONGEST_STRETCH, LONGEST_BREAK);
  }

  /** Writes its lines, not compressed: the same bytes on any machine. */
  public static void writeLines(OutputStream out) throws IOException {
    new AgentTraceSynthesizer(options()).writeWeka(out);
  }

  /**
   * Writes the file itself. Its bytes bear no date; how the lines are compressed is up to the zlib
   * of the Java runtime, so that two of them may differ in it, not in the lines.
   */
  public static void writeFile(OutputStream out) throws IOException {
    SmallestGzip gzip = new SmallestGzip(out);
    writeLines(gzip);
    gzip.finish();
  }

  private static final class SmallestGzip extends GZIPOutputStream {
    SmallestGzip(OutputStream out) throws IOException {
      super(out, 1 << 16);
      def.setLevel(Deflater.BEST_COMPRESSION);
    }
  }
}

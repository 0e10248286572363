package io.orrery.traces.imports;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.traces.Trace;
import io.orrery.traces.TraceFormat;
import io.orrery.traces.TraceWriters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Logs that a test writes, texts in them marked, and what an import makes of them. */
final class LogFolder {
  /** Part of every text of these logs. */
  private static final String MARK = "xyzzy";

  private final Path folder;

  LogFolder(Path folder) {
    this.folder = folder;
  }

  /** Apostrophes become quotation marks. */
  void file(String name, String lines) throws IOException {
    Path file = folder.resolve("logs").resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, lines.replace('\'', '"'));
  }

  /** Imports all files; none of their texts is in any format that the trace can be written to. */
  LogImport.Imported read(LogTool tool) throws IOException {
    LogImport.Imported imported =
        LogImport.of(tool, List.of(folder.resolve("logs")), 64, "salt".getBytes(UTF_8));
    for (TraceFormat format : TraceWriters.formats()) {
      Path file = folder.resolve("written." + format.formatName());
      TraceWriters.of(format).orElseThrow().write(imported.trace(), file);
      assertThat(Files.readString(file, ISO_8859_1)).doesNotContainIgnoringCase(MARK);
    }
    assertThat(imported.trace().provenance().toString()).doesNotContainIgnoringCase(MARK);
    return imported;
  }

  static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }

  /** Calls as {@code input/cached/output}, in the order of the trace. */
  static List<String> tokens(Trace trace) {
    List<String> calls = new ArrayList<>();
    for (int r = 0; r < trace.requestCount(); r++) {
      calls.add(
          trace.inputTokens(r) + "/" + trace.recordedCachedTokens(r) + "/" + trace.outputTokens(r));
    }
    return calls;
  }

  /** The call whose prompt has so many tokens. */
  static int call(Trace trace, int input) {
    for (int r = 0; r < trace.requestCount(); r++) {
      if (trace.inputTokens(r) == input) {
        return r;
      }
    }
    throw new AssertionError("no call of " + input + " tokens in " + tokens(trace));
  }

  /** Blocks that two prompts begin with. */
  static int commonBlocks(Trace trace, int a, int b) {
    List<Integer> first = blocks(trace, a);
    List<Integer> second = blocks(trace, b);
    int common = 0;
    while (common < Math.min(first.size(), second.size())
        && first.get(common).equals(second.get(common))) {
      common++;
    }
    return common;
  }

  private static List<Integer> blocks(Trace trace, int r) {
    List<Integer> blocks = new ArrayList<>();
    for (int run = trace.runStart(r); run < trace.promptRunEnd(r); run++) {
      for (int i = 0; i < trace.runLength(run); i++) {
        blocks.add(trace.runFirst(run) + i);
      }
    }
    return blocks;
  }
}

package io.orrery.traces;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Writes JSON objects, one a line, with exact decimals. */
final class JsonLines implements Closeable {
  private final JsonGenerator json;

  JsonLines(Path file) throws IOException {
    json =
        new JsonFactory()
            .setRootValueSeparator("")
            .createGenerator(new BufferedOutputStream(Files.newOutputStream(file), 1 << 16));
  }

  JsonGenerator json() {
    return json;
  }

  void begin() throws IOException {
    json.writeStartObject();
  }

  void end() throws IOException {
    json.writeEndObject();
    json.writeRaw('\n');
  }

  /** Nanoseconds as a decimal number of a unit. */
  void time(String field, long nanos, long nanosPerUnit) throws IOException {
    String text = Long.toString(nanos / nanosPerUnit);
    long rest = nanos % nanosPerUnit;
    if (rest > 0) {
      String fraction = Long.toString(nanosPerUnit + rest).substring(1);
      int end = fraction.length();
      while (fraction.charAt(end - 1) == '0') {
        end--;
      }
      text += "." + fraction.substring(0, end);
    }
    json.writeFieldName(field);
    json.writeNumber(text);
  }

  void text(String field, @Nullable String text) throws IOException {
    if (text != null) {
      json.writeStringField(field, text);
    }
  }

  /**
   * The ids of a request's prompt blocks.
   *
   * @param nameTails whether a partial block without a name gets one
   */
  void blocks(String field, Trace trace, int r, boolean nameTails) throws IOException {
    json.writeArrayFieldStart(field);
    writeRuns(trace, trace.runStart(r), trace.promptRunEnd(r));
    long partial = trace.partialBlock(r);
    if (partial < 0 && nameTails) {
      partial = PartialBlocks.name(trace, r);
    }
    if (partial >= 0) {
      json.writeNumber(partial);
    }
    json.writeEndArray();
  }

  void writeRuns(Trace trace, int from, int to) throws IOException {
    for (int run = from; run < to; run++) {
      for (int i = 0; i < trace.runLength(run); i++) {
        json.writeNumber(trace.runFirst(run) + i);
      }
    }
  }

  @Override
  public void close() throws IOException {
    json.close();
  }

  /** Whether the request's prompt has a list of blocks, even if an empty one. */
  static boolean hasBlocks(Trace trace, int r) {
    return trace.blocksKnown()
        && (trace.identifiedBlocks(r) > 0
            || trace.partialBlock(r) >= 0
            || trace.inputTokens(r) < trace.blockSize());
  }

  /** The request's id as its source gave it, null for a generated one. */
  static @Nullable String givenId(Trace trace, int r) {
    TraceColumns columns = trace.columns();
    boolean given = columns.requestText != null && columns.requestText.get(r) >= 0;
    return given ? trace.requestId(r) : null;
  }

  /** Whether a session's id is from its source. */
  static boolean hasGivenId(Trace trace, int session) {
    TraceColumns columns = trace.columns();
    return columns.sessionText != null && columns.sessionText.get(session) >= 0;
  }
}

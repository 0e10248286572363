package io.orrery.traces;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.HexFormat;

/** SHA-256 over what a trace says, whatever file it came from: equal traces have equal digests. */
final class TraceDigest {
  private static final int VERSION = 1;

  private final MessageDigest digest = TraceFile.sha256();
  private final ByteBuffer buffer = ByteBuffer.allocate(1 << 13);

  private TraceDigest() {}

  static String of(Trace trace) {
    TraceDigest digest = new TraceDigest();
    digest.addAll(trace);
    return digest.hex();
  }

  private void addAll(Trace trace) {
    add(VERSION);
    add(trace.blockSize());
    add(trace.sharedClock() ? 1 : 0);
    add(trace.sessionCount());
    for (int s = 0; s < trace.sessionCount(); s++) {
      add(trace.sessionId(s));
      add(trace.parentSession(s));
    }
    add(trace.requestCount());
    for (int r = 0; r < trace.requestCount(); r++) {
      add(trace.requestId(r));
      add(trace.session(r));
      add(trace.turn(r));
      add(trace.inputTokens(r));
      add(trace.outputTokens(r));
      add(trace.priority(r));
      add(trace.arrivalNanos(r));
      add(trace.recordedTtftNanos(r));
      add(trace.recordedTotalNanos(r));
      add(trace.recordedCachedTokens(r));
      addBlocks(trace, r);
      add(trace.edgeEnd(r) - trace.edgeStart(r));
      for (int e = trace.edgeStart(r); e < trace.edgeEnd(r); e++) {
        add(trace.edgeFrom(e));
        add(trace.edgeTrigger(e).ordinal());
        add(trace.edgeDelayNanos(e));
      }
    }
  }

  private void addBlocks(Trace trace, int r) {
    add(trace.identifiedBlocks(r));
    add(trace.namedBlocks(r));
    for (int run = trace.runStart(r); run < trace.runEnd(r); run++) {
      add(trace.runFirst(run));
      add(trace.runLength(run));
    }
  }

  private void add(String text) {
    byte[] bytes = text.getBytes(UTF_8);
    add(bytes.length);
    flush();
    digest.update(bytes);
  }

  private void add(long value) {
    if (buffer.remaining() < Long.BYTES) {
      flush();
    }
    buffer.putLong(value);
  }

  private void flush() {
    digest.update(buffer.array(), 0, buffer.position());
    buffer.clear();
  }

  private String hex() {
    flush();
    return HexFormat.of().formatHex(digest.digest());
  }
}

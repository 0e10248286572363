package io.orrery.traces;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.orrery.traces.columns.IntColumn;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.HexFormat;

/** SHA-256 over what a trace says, whatever file it came from: equal traces have equal digests. */
final class TraceDigest {
  private static final int VERSION = 2;

  private final MessageDigest digest = TraceFile.sha256();
  private final ByteBuffer buffer = ByteBuffer.allocate(1 << 13);

  /** Blocks are numbered by when they occur first, from 1: readers do it in several orders. */
  private final IntColumn numbers;

  private int numbered;

  private TraceDigest(long blocks) {
    numbers = IntColumn.filled(Math.toIntExact(blocks), 0);
  }

  static String of(Trace trace) {
    TraceDigest digest = new TraceDigest(trace.blockCount());
    digest.addAll(trace);
    return digest.hex();
  }

  private void addAll(Trace trace) {
    add(VERSION);
    add(trace.blocksKnown() ? trace.blockSize() : 0);
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
    int first = 0;
    int length = 0;
    for (int run = trace.runStart(r); run < trace.runEnd(r); run++) {
      for (int i = 0; i < trace.runLength(run); i++) {
        int number = number(trace.runFirst(run) + i);
        if (number != first + length) {
          add(first);
          add(length);
          first = number;
          length = 0;
        }
        length++;
      }
    }
    add(first);
    add(length);
  }

  private int number(int block) {
    int number = numbers.get(block);
    if (number == 0) {
      number = ++numbered;
      numbers.set(block, number);
    }
    return number;
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

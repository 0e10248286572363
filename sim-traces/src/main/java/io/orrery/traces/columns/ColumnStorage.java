package io.orrery.traces.columns;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;

/**
 * Where columns live. One that takes at most {@link #heapBytes} is an array in the heap; a bigger
 * one is cut into segments of equal size outside of it.
 */
public final class ColumnStorage {
  /** System property: bytes above which a column leaves the heap. */
  public static final String HEAP_BYTES = "orrery.columns.heapBytes";

  /** System property: bytes of a segment, a power of two. */
  public static final String SEGMENT_BYTES = "orrery.columns.segmentBytes";

  /** System property: the folder of temporary files; without it, {@code java.io.tmpdir}. */
  public static final String FOLDER = "orrery.columns.folder";

  private static final int SHARE_OF_HEAP = 512;
  private static final long LEAST_HEAP_BYTES = 1 << 20;
  private static final long MOST_HEAP_BYTES = 1 << 26;
  private static final int USUAL_SEGMENT_BYTES = 1 << 22;
  private static final int MOST_SEGMENT_BYTES = 1 << 30;

  private static final ColumnStorage STANDARD = configured();

  private final int heapBytes;
  private final int segmentBytes;
  private final SegmentSource source;
  private final String place;

  /** Segments that were given back. */
  private final ArrayDeque<ByteBuffer> free = new ArrayDeque<>();

  /**
   * A storage with a source of its own.
   *
   * @param heapBytes bytes that a column may take in the heap, at least 0
   * @param segmentBytes bytes of a segment, a power of two from 64 bytes to 1 GiB
   * @param source where segments come from
   * @param place what a message calls that
   */
  public ColumnStorage(int heapBytes, int segmentBytes, SegmentSource source, String place) {
    if (heapBytes < 0) {
      throw new IllegalArgumentException("a heap of " + heapBytes + " bytes for a column");
    }
    if (segmentBytes < 64
        || segmentBytes > MOST_SEGMENT_BYTES
        || Integer.bitCount(segmentBytes) != 1) {
      throw new IllegalArgumentException(
          "segments of " + segmentBytes + " bytes: a power of two from 64 to 2^30 is expected");
    }
    this.heapBytes = heapBytes;
    this.segmentBytes = segmentBytes;
    this.source = source;
    this.place = place;
  }

  /**
   * What columns use unless told otherwise: the 512th part of Java's memory for each (at least 1
   * MiB, at most 64 MiB), then files of 4 MiB in {@code java.io.tmpdir}. The system properties
   * {@link #HEAP_BYTES}, {@link #SEGMENT_BYTES} and {@link #FOLDER} change that.
   */
  public static ColumnStorage standard() {
    return STANDARD;
  }

  /** A storage in temporary files of a folder. */
  public static ColumnStorage in(Path folder, int heapBytes, int segmentBytes) {
    return new ColumnStorage(heapBytes, segmentBytes, new MappedFiles(folder), folder.toString());
  }

  private static ColumnStorage configured() {
    long share = Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP;
    long usual = Math.min(MOST_HEAP_BYTES, Math.max(LEAST_HEAP_BYTES, share));
    String folder = System.getProperty(FOLDER, System.getProperty("java.io.tmpdir", "."));
    return in(
        Path.of(folder),
        Integer.getInteger(HEAP_BYTES, (int) usual),
        Integer.getInteger(SEGMENT_BYTES, USUAL_SEGMENT_BYTES));
  }

  /** Bytes that a column may take in the heap. */
  public int heapBytes() {
    return heapBytes;
  }

  /** Bytes of a segment, a power of two. */
  public int segmentBytes() {
    return segmentBytes;
  }

  /**
   * A segment with anything in it.
   *
   * @throws UncheckedIOException where there is no room for it
   */
  ByteBuffer take() {
    synchronized (free) {
      ByteBuffer segment = free.poll();
      if (segment != null) {
        return segment;
      }
    }
    try {
      return source.segment(segmentBytes).order(ByteOrder.nativeOrder());
    } catch (IOException e) {
      throw new UncheckedIOException(
          place
              + ": cannot hold the temporary data of a big trace ("
              + reason(e)
              + "); make room, or name another folder with -D"
              + FOLDER
              + "=DIR in ORRERY_JAVA_OPTS",
          e);
    }
  }

  private static String reason(IOException e) {
    if (e instanceof NoSuchFileException) {
      return "no such folder";
    }
    return e instanceof AccessDeniedException ? "not allowed" : String.valueOf(e.getMessage());
  }

  /** Takes back segments that nobody reads any more. */
  void giveBack(ByteBuffer[] segments, int count) {
    synchronized (free) {
      for (int i = 0; i < count; i++) {
        free.add(segments[i]);
      }
    }
  }
}

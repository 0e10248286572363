package io.orrery.traces;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * Reads a stream in a second thread, a few buffers ahead, so that decompression overlaps parsing.
 * Bytes and errors come out in the order in which the stream gives them.
 */
final class ReadAhead extends InputStream {
  private static final int BUFFER_BYTES = 1 << 18;
  private static final int FEWEST_BUFFERS = 8;

  private final InputStream source;
  private final int buffers;
  private final BlockingQueue<Chunk> filled;
  private final BlockingQueue<byte[]> free;
  private final Thread thread;

  /** Buffers made so far; only the second thread looks. */
  private int allocated;

  private byte[] buffer = {};
  private int position;
  private int end;
  private @Nullable Chunk last;

  /** Bytes, or at length -1 the end of the stream with the error that ended it. */
  private record Chunk(byte[] bytes, int length, @Nullable Throwable failure) {}

  /**
   * Begins to read.
   *
   * @param bytes about how many may wait for being taken; at least 2 MiB may
   */
  ReadAhead(InputStream source, int bytes) {
    this.source = source;
    buffers = Math.max(FEWEST_BUFFERS, bytes / BUFFER_BYTES);
    filled = new ArrayBlockingQueue<>(buffers);
    free = new ArrayBlockingQueue<>(buffers);
    thread = new Thread(this::fill, "orrery-trace-read-ahead");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public int read() throws IOException {
    return advance() ? buffer[position++] & 0xff : -1;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (!advance()) {
      return -1;
    }
    int count = Math.min(length, end - position);
    System.arraycopy(buffer, position, target, offset, count);
    position += count;
    return count;
  }

  @Override
  public void close() throws IOException {
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    source.close();
  }

  private boolean advance() throws IOException {
    while (position == end) {
      if (last == null) {
        next();
      }
      if (last != null) {
        rethrow(last.failure());
        return false;
      }
    }
    return true;
  }

  private void next() throws IOException {
    try {
      if (buffer.length > 0) {
        free.put(buffer);
        buffer = new byte[0];
      }
      Chunk chunk = filled.take();
      if (chunk.length() < 0) {
        last = chunk;
        return;
      }
      buffer = chunk.bytes();
      position = 0;
      end = chunk.length();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while reading a trace");
    }
  }

  private static void rethrow(@Nullable Throwable failure) throws IOException {
    if (failure instanceof IOException exception) {
      throw exception;
    } else if (failure instanceof RuntimeException exception) {
      throw exception;
    } else if (failure instanceof Error error) {
      throw error;
    }
  }

  /** A buffer to fill: small files need one, not all. */
  private byte[] unused() throws InterruptedException {
    byte[] bytes = free.poll();
    if (bytes != null) {
      return bytes;
    }
    return allocated++ < buffers - 1 ? new byte[BUFFER_BYTES] : free.take();
  }

  private void fill() {
    try {
      Throwable failure = null;
      try {
        byte[] bytes = unused();
        for (int count; (count = source.readNBytes(bytes, 0, bytes.length)) > 0; ) {
          filled.put(new Chunk(bytes, count, null));
          bytes = unused();
        }
      } catch (IOException | RuntimeException | Error e) {
        failure = e;
      }
      filled.put(new Chunk(new byte[0], -1, failure));
    } catch (InterruptedException e) {
      // The reader has closed the stream: nobody waits for more.
      Thread.currentThread().interrupt();
    }
  }
}

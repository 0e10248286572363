package io.orrery.traces;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The pieces of a text in order, with what is made of each. As long as the text has not shown to be
 * a long one, whoever takes a piece reads it, and has to work on it himself. Then one thread reads
 * (and so decompresses) and cuts the text, as far ahead as it may; those of a pool work on the
 * pieces.
 *
 * @param <R> what is made of a piece
 */
final class PieceQueue<R> implements Closeable {
  /** More bytes than any text has. */
  static final long NEVER = Long.MAX_VALUE;

  private final TextCutter cutter;
  private final Function<TextPiece, R> work;
  private final Executor pool;
  private final long alone;
  private final long most;
  private @Nullable Thread thread;

  /** Bytes read without it. */
  private long readAlone;

  private final ArrayDeque<Entry<R>> entries = new ArrayDeque<>();
  private long bytes;
  private boolean ended;
  private @Nullable Error failure;
  private volatile boolean worked = true;

  /**
   * A piece.
   *
   * @param result what other threads make of it, null where it is left to whoever takes it
   */
  record Entry<R>(TextPiece piece, @Nullable Future<R> result) {}

  /**
   * Pieces of a text.
   *
   * @param alone after how many bytes other threads are used, at least 0; or {@link #NEVER}
   * @param most about how many bytes of text may wait for being taken
   */
  PieceQueue(TextCutter cutter, Function<TextPiece, R> work, Executor pool, long alone, long most) {
    this.cutter = cutter;
    this.work = work;
    this.pool = pool;
    this.alone = alone;
    this.most = most;
    if (alone == 0) {
      thread = reader();
    }
  }

  private Thread reader() {
    Thread reader = new Thread(this::read, Shards.THREADS + "read");
    reader.setDaemon(true);
    reader.start();
    return reader;
  }

  /** The next piece, null behind the last one. */
  @Nullable Entry<R> take() throws IOException {
    if (thread == null && readAlone < alone) {
      TextPiece piece = cutter.next();
      readAlone += piece == null ? 0 : piece.length();
      return piece == null ? null : new Entry<>(piece, null);
    }
    if (thread == null) {
      thread = reader();
    }
    return taken();
  }

  private synchronized @Nullable Entry<R> taken() throws IOException {
    try {
      while (entries.isEmpty() && !ended) {
        wait();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while reading a trace");
    }
    Entry<R> entry = entries.poll();
    if (entry != null) {
      bytes -= entry.piece().length();
      notifyAll();
    } else if (failure != null) {
      throw failure;
    }
    return entry;
  }

  /** What is left of a text for which no threads will be used; null where they may be. */
  @Nullable InputStream rest() {
    return alone == NEVER ? cutter.rest() : null;
  }

  /** No work is done any more on pieces that have not been taken. */
  void stopWork() {
    worked = false;
  }

  @Override
  public void close() throws IOException {
    stopWork();
    Thread reader = thread;
    if (reader != null) {
      reader.interrupt();
      try {
        reader.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    cutter.close();
  }

  private void read() {
    Error why = null;
    try {
      for (TextPiece piece; (piece = cutter.next()) != null; ) {
        TextPiece next = piece;
        FutureTask<R> task = new FutureTask<>(() -> work.apply(next));
        put(new Entry<>(piece, task));
        if (worked) {
          pool.execute(task);
        }
      }
    } catch (InterruptedException e) {
      // The queue has been closed: nobody waits for more.
    } catch (Error e) {
      why = e;
    }
    end(why);
  }

  private synchronized void put(Entry<R> entry) throws InterruptedException {
    int length = entry.piece().length();
    while (bytes > 0 && bytes + length > most) {
      wait();
    }
    bytes += length;
    entries.add(entry);
    notifyAll();
  }

  private synchronized void end(@Nullable Error why) {
    ended = true;
    failure = why;
    notifyAll();
  }
}

package io.orrery.traces;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The pieces of a text in order, with what other threads make of each. One thread reads (and so
 * decompresses) and cuts the text, as far ahead of its reader as it may; those of a pool work on
 * the pieces.
 *
 * @param <R> what is made of a piece
 */
final class PieceQueue<R> implements Closeable {
  private final TextCutter cutter;
  private final Function<TextPiece, R> work;
  private final Executor pool;
  private final long most;
  private final Thread thread;
  private final ArrayDeque<Entry<R>> entries = new ArrayDeque<>();
  private long bytes;
  private boolean ended;
  private @Nullable Error failure;
  private volatile boolean worked = true;

  /** A piece, and what is made of it. */
  record Entry<R>(TextPiece piece, Future<R> result) {}

  /**
   * Begins to read.
   *
   * @param most about how many bytes of text may wait for being taken
   */
  PieceQueue(TextCutter cutter, Function<TextPiece, R> work, Executor pool, long most) {
    this.cutter = cutter;
    this.work = work;
    this.pool = pool;
    this.most = most;
    thread = new Thread(this::read, Shards.THREADS + "read");
    thread.setDaemon(true);
    thread.start();
  }

  /** The next piece, null behind the last one. */
  synchronized @Nullable Entry<R> take() throws IOException {
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

  /** No work is done any more on pieces that have not been taken. */
  void stopWork() {
    worked = false;
  }

  @Override
  public void close() throws IOException {
    stopWork();
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
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

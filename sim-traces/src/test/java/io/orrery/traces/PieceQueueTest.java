package io.orrery.traces;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Pieces that other threads read and work on, ahead of who takes them. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PieceQueueTest {
  private static final int PIECE = 100;
  private static final int AHEAD = 1_000;

  private final ExecutorService pool = Executors.newFixedThreadPool(3);
  private final Endless text = new Endless();
  private final AtomicInteger worked = new AtomicInteger();

  @AfterEach
  void stop() {
    pool.shutdownNow();
  }

  /** However long nobody takes any, no more of the text is read than may wait. */
  @Test
  void readsNoFurtherAheadThanItMay() throws IOException {
    try (PieceQueue<Integer> queue = queue()) {
      for (int taken = 0; taken < 50; taken++) {
        awaitStill();
        assertThat(text.read).isLessThanOrEqualTo(taken * PIECE + AHEAD + 3 * PIECE);
        assertThat(queue.take()).isNotNull();
      }
    }
  }

  @Test
  void piecesComeInOrderWhateverTheWorkTakes() throws Exception {
    StringBuilder all = new StringBuilder();
    try (PieceQueue<Integer> queue = queue()) {
      for (int taken = 0; taken < 50; taken++) {
        PieceQueue.Entry<Integer> entry = queue.take();
        assertThat(entry.result().get()).isEqualTo(entry.piece().length());
        all.append(new String(entry.piece().bytes(), 0, entry.piece().length(), US_ASCII));
      }
    }
    byte[] expected = new Endless().readNBytes(all.length());
    assertThat(all).hasToString(new String(expected, US_ASCII));
  }

  @Test
  void whatHasBeenStoppedIsNotWorkedOn() throws IOException {
    try (PieceQueue<Integer> queue = queue()) {
      queue.take();
      queue.stopWork();
      awaitStill();
      int before = worked.get();
      for (int taken = 0; taken < 40; taken++) {
        queue.take();
      }
      assertThat(worked.get()).isLessThanOrEqualTo(before + AHEAD / PIECE);
    }
  }

  /** Not an exception of the text, which comes with its last piece, but one of Java's. */
  @Test
  void anErrorOfTheReadingThreadIsThrownToWhoTakes() throws IOException {
    text.endWith = new OutOfMemoryError("made up");
    try (PieceQueue<Integer> queue = queue()) {
      assertThatThrownBy(
              () -> {
                while (queue.take() != null) {
                  // up to the error
                }
              })
          .isInstanceOf(OutOfMemoryError.class)
          .hasMessage("made up");
    }
  }

  /** Threads are used, and read ahead, once a text has shown to be a long one. */
  @Test
  void theBeginningOfATextIsLeftToWhoTakesIt() throws Exception {
    try (PieceQueue<Integer> queue = queue(2 * PIECE + 1)) {
      for (int taken = 1; taken <= 3; taken++) {
        assertThat(queue.take().result()).isNull();
        assertThat(text.reader).isSameAs(Thread.currentThread());
        assertThat(text.read).isLessThanOrEqualTo(taken * PIECE);
      }
      PieceQueue.Entry<Integer> fourth = queue.take();
      assertThat(fourth.result().get()).isEqualTo(fourth.piece().length());
      assertThat(text.reader).isNotSameAs(Thread.currentThread());
      assertThat(queue.rest()).isNull();
    }
  }

  @Test
  void whatIsLeftOfATextNeedsNoPiecesWhereThereAreNoThreads() throws IOException {
    StringBuilder all = new StringBuilder();
    try (PieceQueue<Integer> queue = queue(PieceQueue.NEVER)) {
      TextPiece first = queue.take().piece();
      all.append(new String(first.bytes(), 0, first.length(), US_ASCII));
      all.append(new String(queue.rest().readNBytes(500), US_ASCII));
      assertThat(queue.take()).isNull();
    }
    byte[] expected = new Endless().readNBytes(all.length());
    assertThat(all).hasToString(new String(expected, US_ASCII));
  }

  private PieceQueue<Integer> queue() {
    return queue(0);
  }

  private PieceQueue<Integer> queue(long alone) {
    TextCutter cutter = new TextCutter(text, false, PIECE, PIECE);
    return new PieceQueue<>(cutter, this::work, pool, alone, AHEAD);
  }

  private Integer work(TextPiece piece) {
    worked.incrementAndGet();
    return piece.length();
  }

  /** Waits until the reading thread waits. */
  private void awaitStill() {
    Thread reader = text.reader;
    while (reader == null || reader.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
      reader = text.reader;
    }
  }

  /** Lines of ten bytes that differ; without an end. */
  private static final class Endless extends InputStream {
    volatile int read;
    volatile Thread reader;
    volatile Error endWith;

    @Override
    public int read() {
      reader = Thread.currentThread();
      if (endWith != null && read > 3_000) {
        throw endWith;
      }
      int place = read % 10;
      int line = read / 10;
      read++;
      return place == 0 ? '{' : place == 9 ? '\n' : place == 1 ? 'a' + line % 26 : 'x';
    }
  }
}

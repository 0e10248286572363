package io.orrery.traces;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The texts of a trace's files, one after the other; while one is read, those behind it are opened,
 * digested and decoded in threads of their own, as far as their share of the heap goes. What comes
 * out, and which error first, is as if they were opened one by one.
 */
final class Shards implements Closeable {
  /** Part of Java's memory for decoded text that nobody has read yet. */
  private static final int SHARE_OF_HEAP = 16;

  private static final int MOST_BYTES = 1 << 26;

  private final List<TraceFile> files;
  private final boolean folds;
  private final int mostAhead;
  private final int bytesEach;
  private final ArrayDeque<Shard> open = new ArrayDeque<>();
  private int next;

  /**
   * A file whose text has been opened.
   *
   * @param digest of the bytes of the file as it is stored, complete at the text's end
   * @param text empty where it could not be opened
   */
  record Shard(
      TraceFile file, MessageDigest digest, InputStream text, @Nullable TraceException failure) {

    TraceProvenance.SourceFile provenance() {
      return file.provenance(digest);
    }
  }

  /**
   * Texts of files.
   *
   * @param folds whether they pass through {@link RunFolding}
   * @param mostAhead how many may be open at once, at least one
   */
  Shards(List<TraceFile> files, boolean folds, int mostAhead) {
    this.files = files;
    this.folds = folds;
    this.mostAhead = Math.min(mostAhead, files.size());
    long share = Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP / this.mostAhead;
    bytesEach = files.size() == 1 ? 0 : (int) Math.min(MOST_BYTES, share);
  }

  /** Opens as many files at once as there are processors. */
  Shards(List<TraceFile> files, boolean folds) {
    this(files, folds, Runtime.getRuntime().availableProcessors());
  }

  /**
   * The next file, whose text the caller closes.
   *
   * @throws TraceException where it cannot be opened
   */
  Shard next() {
    while (next < files.size() && open.size() < mostAhead) {
      open.add(opened(files.get(next++)));
    }
    Shard shard = open.remove();
    if (shard.failure() != null) {
      throw shard.failure();
    }
    return shard;
  }

  private Shard opened(TraceFile file) {
    MessageDigest digest = TraceFile.sha256();
    try {
      return new Shard(file, digest, file.open(digest, folds, bytesEach), null);
    } catch (TraceException e) {
      return new Shard(file, digest, InputStream.nullInputStream(), e);
    }
  }

  /** Closes the texts that nobody has taken. */
  @Override
  public void close() throws IOException {
    for (Shard shard : open) {
      shard.text().close();
    }
  }
}

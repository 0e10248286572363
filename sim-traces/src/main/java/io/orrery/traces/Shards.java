package io.orrery.traces;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.util.ArrayDeque;
import java.util.List;

/**
 * The tokens of a trace's files, one file after the other; while one is read, it and those behind
 * it are decoded, digested and parsed in other threads, as far as their share of the heap goes.
 * What comes out, and which error first, is as if they were opened one by one and read by one
 * thread.
 */
final class Shards implements Closeable {
  /** What the names of all threads begin with. */
  static final String THREADS = "orrery-trace-";

  /** Of a piece of text: some hundred records, which take about a millisecond. */
  private static final int PIECE_BYTES = 1 << 18;

  /**
   * Part of Java's memory for text that nobody has read yet; its tokens take up to five times as
   * much.
   */
  private static final int SHARE_OF_HEAP = 64;

  /** Part of Java's memory for one piece, which may be one long line. */
  private static final int LARGEST_PIECE_SHARE = 32;

  private static final int MOST_BYTES = 1 << 26;

  private static final int ALONE_BYTES = 1 << 19;

  /** One thread reads longer lines as they come, which is faster than to collect them first. */
  private static final int LARGEST_PIECE_ALONE = 1 << 20;

  // More pieces than these need not be ready, but would be moved by the garbage collector.
  private static final int MOST_PIECES = 16;
  private static final int PIECES_A_THREAD = 4;

  private final List<TraceFile> files;
  private final TextForm form;
  private final Sizes sizes;
  private final int mostAhead;
  private final Parsers parsers;
  private final long alone;
  private final long ahead;
  private final int largestPiece;
  private final ArrayDeque<Shard> open = new ArrayDeque<>();
  private int next;

  /**
   * How much text there may be at a time, in bytes.
   *
   * @param piece of a piece where its lines allow it
   * @param largestPiece after which a text is cut anywhere
   * @param ahead of all pieces that wait for being read
   * @param alone of a single file, before it is worth the while to start threads
   */
  record Sizes(int piece, int largestPiece, long ahead, long alone) {
    static Sizes ofHeap() {
      long heap = Runtime.getRuntime().maxMemory();
      return new Sizes(
          PIECE_BYTES,
          (int) Math.max(PIECE_BYTES, Math.min(MOST_BYTES, heap / LARGEST_PIECE_SHARE)),
          Math.min(MOST_BYTES, heap / SHARE_OF_HEAP),
          ALONE_BYTES);
    }
  }

  /**
   * A file that has been opened.
   *
   * @param digest of the bytes of the file as it is stored, complete when its last token is read
   * @param rows to be closed by who takes them
   */
  record Shard(TraceFile file, MessageDigest digest, JsonRows rows) {
    TraceProvenance.SourceFile provenance() {
      return file.provenance(digest);
    }
  }

  /**
   * Files of a trace.
   *
   * @param form how they are parsed, if they are no tables
   * @param threads how many may parse; one is the caller's
   */
  Shards(List<TraceFile> files, TextForm form, int threads, Sizes sizes) {
    this.files = files;
    this.form = form;
    this.sizes = sizes;
    mostAhead = Math.min(threads, files.size());
    // The thread that takes what is parsed helps.
    parsers = new Parsers(Math.max(1, threads - 1));
    alone = threads == 1 ? PieceQueue.NEVER : files.size() == 1 ? sizes.alone() : 0;
    largestPiece =
        threads == 1
            ? Math.min(sizes.largestPiece(), Math.max(sizes.piece(), LARGEST_PIECE_ALONE))
            : sizes.largestPiece();
    long enough = (long) sizes.piece() * Math.max(MOST_PIECES, PIECES_A_THREAD * threads);
    ahead = Math.min(sizes.ahead(), enough) / mostAhead;
  }

  /** The next file, whose rows the caller closes; they say it where it cannot be opened. */
  Shard next() {
    while (next < files.size() && open.size() < mostAhead) {
      open.add(opened(files.get(next++)));
    }
    return open.remove();
  }

  private Shard opened(TraceFile file) {
    MessageDigest digest = TraceFile.sha256();
    TextForm ofFile = form;
    Tokens.Source tokens;
    try {
      ofFile = FormatDetection.isTable(file) ? form.ofTable() : form;
      tokens = tokens(ofFile, file.open(digest));
    } catch (TraceException e) {
      tokens = new Unreadable(e);
    }
    return new Shard(file, digest, new JsonRows(file.name(), ofFile, new Tokens(tokens)));
  }

  private Tokens.Source tokens(TextForm ofFile, InputStream text) {
    TextCutter cutter = new TextCutter(text, ofFile.table(), sizes.piece(), largestPiece);
    return new PieceTokens(ofFile, cutter, parsers, alone, ahead);
  }

  /** Closes the files that nobody has taken. */
  @Override
  public void close() throws IOException {
    for (Shard shard : open) {
      shard.rows().close();
    }
    parsers.close();
  }

  /** A file that cannot be opened, which is said when its turn has come. */
  private record Unreadable(TraceException why) implements Tokens.Source {
    @Override
    public TokenBatch next() {
      throw why;
    }

    @Override
    public long lineOffset() {
      return 0;
    }

    @Override
    public String recordText(int line) {
      return "";
    }

    @Override
    public void close() {
      // there is nothing to close
    }
  }
}

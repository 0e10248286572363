package io.orrery.traces;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The tokens of a text whose pieces are parsed by several threads. From a piece on that does not
 * parse by itself, since an object or a quoted cell goes on behind it or since there is a mistake
 * in it, the text is parsed as it is read; so what comes out is what one parser would give,
 * whatever the text is.
 */
final class PieceTokens implements Tokens.Source {
  /** Characters of text that a token has on average, more or less. */
  private static final int CHARACTERS_A_TOKEN = 12;

  /** When so many pieces more have not been plain than have been, no more are expected to be. */
  private static final int MOST_NOT_PLAIN = 20;

  private final TextForm form;
  private final PieceQueue<Parsed> pieces;

  private final Parsers parsers;

  /** The tokens of a piece that is parsed when it is taken. */
  private final TokenBatch taken = new TokenBatch(0);

  /** How many pieces more were tried in vain than not, or none. */
  private final AtomicInteger notPlain = new AtomicInteger();

  /** The piece whose tokens came last. */
  private @Nullable TextPiece piece;

  /** Its records, as far as somebody has asked for their texts; those are asked for in order. */
  private @Nullable LineFeed texts;

  /** Lines before those tokens, and before the next piece. */
  private long lineOffset;

  private long linesTaken;

  /** All that is left of the text, where it is parsed as it is read. */
  private Tokens.@Nullable Source rest;

  /** A piece's tokens, null where it does not parse by itself. */
  private record Parsed(@Nullable TokenBatch tokens) {}

  /**
   * Tokens of a text.
   *
   * @param parsers do the parsing
   * @param alone after how many bytes they do
   * @param ahead about how many bytes of text may be parsed ahead
   */
  PieceTokens(TextForm form, TextCutter cutter, Parsers parsers, long alone, long ahead) {
    this.form = form;
    this.parsers = parsers;
    pieces = new PieceQueue<>(cutter, this::parsed, parsers, alone, ahead);
  }

  @Override
  public @Nullable TokenBatch next() throws IOException {
    Tokens.Source left = rest;
    if (left != null) {
      return left.next();
    }
    PieceQueue.Entry<Parsed> entry = pieces.take();
    if (entry == null) {
      return null;
    }
    TextPiece next = entry.piece();
    piece = next;
    texts = null;
    TokenBatch tokens = result(entry).tokens();
    lineOffset = linesTaken - next.headerLines();
    if (tokens == null) {
      pieces.stopWork();
      left = form.tokens(new RestOfText(next), lineOffset);
      rest = left;
      return left.next();
    }
    linesTaken = lineOffset + tokens.endLine() - 1;
    return tokens;
  }

  @Override
  public long lineOffset() {
    Tokens.Source left = rest;
    return left == null ? lineOffset : left.lineOffset();
  }

  @Override
  public String recordText(int line) throws IOException {
    Tokens.Source left = rest;
    TextPiece read = piece;
    if (left != null || read == null) {
      return left == null ? "" : left.recordText(line);
    }
    return form.byRecord() ? textFrom(read, line) : "";
  }

  private String textFrom(TextPiece read, int line) throws IOException {
    LineFeed records = texts;
    if (records == null || records.number() > line) {
      records = new LineFeed(read.open(), form.table());
      texts = records;
    }
    while (records.number() < line && records.next()) {
      // up to the one that begins there
    }
    return records.text();
  }

  @Override
  public void close() throws IOException {
    pieces.close();
  }

  private Parsed result(PieceQueue.Entry<Parsed> entry) throws IOException {
    Future<Parsed> result = entry.result();
    if (result == null) {
      taken.clear();
      return parsed(entry.piece(), taken);
    }
    try {
      boolean helped = true;
      while (helped && !result.isDone()) {
        helped = parsers.help();
      }
      return result.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while reading a trace");
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw (RuntimeException) e.getCause();
    }
  }

  /** Runs in threads of the pool, too. */
  private Parsed parsed(TextPiece part) {
    return parsed(part, new TokenBatch(part.length() / CHARACTERS_A_TOKEN + 1));
  }

  private Parsed parsed(TextPiece part, TokenBatch batch) {
    if (!part.whole()) {
      return new Parsed(null);
    }
    try {
      boolean parses =
          form.byRecord() ? RecordTokens.addAll(form, part, batch) : addAll(part, batch);
      return new Parsed(parses ? batch : null);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private boolean addAll(TextPiece part, TokenBatch batch) throws IOException {
    if (isPlain(part, batch)) {
      return true;
    }
    try (Tokenizer tokenizer = form.tokenizer(part.open())) {
      tokenizer.fill(batch, Integer.MAX_VALUE, 0);
    }
    return part.last() || !endsInFailure(batch);
  }

  /** Tries the quick way, as long as it is not in vain. */
  private boolean isPlain(TextPiece part, TokenBatch batch) {
    if (form.table() || part.failure() != null || notPlain.get() > MOST_NOT_PLAIN) {
      return false;
    }
    boolean plain = form.plainTokens().addAll(part.bytes(), part.length(), 1, batch);
    notPlain.updateAndGet(count -> plain ? Math.max(0, count - 1) : count + 1);
    return plain;
  }

  private static boolean endsInFailure(TokenBatch batch) {
    int last = batch.size() - 1;
    return last >= 0 && batch.kind(last) == TokenBatch.FAILURE;
  }

  /** The bytes of pieces as they were before they were cut. */
  private final class RestOfText extends InputStream {
    private @Nullable InputStream now;

    RestOfText(TextPiece first) {
      InputStream uncut = pieces.rest();
      now = uncut == null ? first.open() : new SequenceInputStream(first.open(), uncut);
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      for (InputStream in = now; in != null; in = now) {
        int count = in.read(target, offset, length);
        if (count >= 0) {
          return count;
        }
        PieceQueue.Entry<Parsed> entry = pieces.take();
        now = entry == null ? null : entry.piece().withoutHeader().open();
      }
      return -1;
    }
  }
}

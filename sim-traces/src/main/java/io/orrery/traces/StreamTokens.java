package io.orrery.traces;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The tokens of a text as its parser comes to them, some thousand at a time. */
final class StreamTokens implements Tokens.Source {
  private static final int MOST = 1 << 11;

  private final Tokenizer tokenizer;
  private final long lineOffset;
  private final TokenBatch batch = new TokenBatch(MOST);
  private boolean more = true;

  /**
   * Tokens of a text.
   *
   * @param lineOffset lines before those that the tokenizer reads
   */
  StreamTokens(Tokenizer tokenizer, long lineOffset) {
    this.tokenizer = tokenizer;
    this.lineOffset = lineOffset;
  }

  @Override
  public @Nullable TokenBatch next() {
    if (!more) {
      return null;
    }
    batch.clear();
    more = tokenizer.fill(batch, MOST, 0);
    return batch;
  }

  @Override
  public long lineOffset() {
    return lineOffset;
  }

  @Override
  public String recordText(int line) {
    return "";
  }

  @Override
  public void close() throws IOException {
    tokenizer.close();
  }
}

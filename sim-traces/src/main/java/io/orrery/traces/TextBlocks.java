package io.orrery.traces;

/**
 * Cuts texts into blocks of so many characters and names each by a hash of all up to its end:
 * FNV-1a in 64 bits over UTF-16.
 */
final class TextBlocks {
  private static final long OFFSET = 0xcbf29ce484222325L;
  private static final long PRIME = 0x100000001b3L;

  private final long blockLength;
  private final HashRuns hashes;
  private long hash;
  private long length;

  /**
   * Blocks of {@code blockLength} characters.
   *
   * @param hashes takes the hash of each full block
   */
  TextBlocks(long blockLength, HashRuns hashes) {
    this.blockLength = blockLength;
    this.hashes = hashes;
  }

  /** Begins a new prompt. */
  void start() {
    hash = OFFSET;
    length = 0;
  }

  void add(CharSequence text) {
    for (int i = 0; i < text.length(); i++) {
      hash = (hash ^ text.charAt(i)) * PRIME;
      if (++length % blockLength == 0) {
        hashes.add(hash);
      }
    }
  }
}

package io.orrery.traces;

/**
 * Names for the trailing partial blocks of prompts. Some formats have them, some do not; other
 * readers of Mooncake's rows want ⌈input / block⌉ hashes. Such a name is that of no other block: it
 * changes no hit.
 */
final class PartialBlocks {
  private PartialBlocks() {}

  /** Whether blocks are known and the trace's format leaves partial ones without names. */
  static boolean needNames(Trace trace) {
    if (!trace.blocksKnown()) {
      return false;
    }
    for (int r = 0; r < trace.requestCount(); r++) {
      if (trace.partialBlock(r) >= 0) {
        return false;
      }
    }
    return true;
  }

  /** A name for the partial block of request {@code r}, -1 if its prompt has none or is unknown. */
  static long name(Trace trace, int r) {
    boolean partial = trace.inputTokens(r) % trace.blockSize() > 0;
    boolean whole = trace.identifiedBlocks(r) == trace.inputTokens(r) / trace.blockSize();
    return partial && whole ? trace.blockCount() + r : -1;
  }
}

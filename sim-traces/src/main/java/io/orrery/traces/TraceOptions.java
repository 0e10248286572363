package io.orrery.traces;

import org.jspecify.annotations.Nullable;

/**
 * How files are read.
 *
 * @param format the format, null to recognise it from the content
 * @param blockSize tokens per trace block for formats whose files do not say it, 0 for the format's
 *     own default
 * @param sharedSystemPrefix whether Claude Code sessions with equal model, tool and system token
 *     counts share the blocks of their tool definitions and system prompt
 */
public record TraceOptions(
    @Nullable TraceFormat format, int blockSize, boolean sharedSystemPrefix) {

  public TraceOptions {
    if (blockSize < 0 || blockSize > TraceAssembler.MAX_TOKENS) {
      throw new IllegalArgumentException(
          "blockSize: found "
              + blockSize
              + ", expected 0 (the format's own) to "
              + TraceAssembler.MAX_TOKENS);
    }
  }

  /** Format by content, the format's own block size, shared system prefix. */
  public static TraceOptions defaults() {
    return new TraceOptions(null, 0, true);
  }

  /** The same with this format. */
  public TraceOptions withFormat(@Nullable TraceFormat newFormat) {
    return new TraceOptions(newFormat, blockSize, sharedSystemPrefix);
  }

  /** The same with this block size. */
  public TraceOptions withBlockSize(int newBlockSize) {
    return new TraceOptions(format, newBlockSize, sharedSystemPrefix);
  }

  /** The same with or without the shared prefix. */
  public TraceOptions withSharedSystemPrefix(boolean shared) {
    return new TraceOptions(format, blockSize, shared);
  }
}

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
 * @param columns the meaning of the columns of a file of no known format, null where it has one
 * @param badRecords takes what cannot be read; null to fail at the first such record
 * @param threads how many threads may parse, at least 1; nothing depends on it but time
 */
public record TraceOptions(
    @Nullable TraceFormat format,
    int blockSize,
    boolean sharedSystemPrefix,
    @Nullable ColumnMapping columns,
    @Nullable BadRecords badRecords,
    int threads) {

  public TraceOptions {
    if (blockSize < 0 || blockSize > TraceAssembler.MAX_TOKENS) {
      throw new IllegalArgumentException(
          "blockSize: found "
              + blockSize
              + ", expected 0 (the format's own) to "
              + TraceAssembler.MAX_TOKENS);
    }
    if (threads < 1) {
      throw new IllegalArgumentException("threads: found " + threads + ", expected at least 1");
    }
  }

  /** Without a column mapping, failing at the first bad record, with all processors. */
  public TraceOptions(@Nullable TraceFormat format, int blockSize, boolean sharedSystemPrefix) {
    this(
        format,
        blockSize,
        sharedSystemPrefix,
        null,
        null,
        Runtime.getRuntime().availableProcessors());
  }

  /** Format by content, the format's own block size, shared system prefix. */
  public static TraceOptions defaults() {
    return new TraceOptions(null, 0, true);
  }

  /** The same with this format. */
  public TraceOptions withFormat(@Nullable TraceFormat newFormat) {
    return new TraceOptions(newFormat, blockSize, sharedSystemPrefix, columns, badRecords, threads);
  }

  /** The same with this block size. */
  public TraceOptions withBlockSize(int newBlockSize) {
    return new TraceOptions(format, newBlockSize, sharedSystemPrefix, columns, badRecords, threads);
  }

  /** The same with or without the shared prefix. */
  public TraceOptions withSharedSystemPrefix(boolean shared) {
    return new TraceOptions(format, blockSize, shared, columns, badRecords, threads);
  }

  /** The same for a file of no known format. */
  public TraceOptions withColumns(ColumnMapping mapping) {
    return new TraceOptions(
        TraceFormat.MAPPED, blockSize, sharedSystemPrefix, mapping, badRecords, threads);
  }

  /** The same, keeping records that cannot be read aside. */
  public TraceOptions withBadRecords(@Nullable BadRecords taker) {
    return new TraceOptions(format, blockSize, sharedSystemPrefix, columns, taker, threads);
  }

  /** The same, parsed by so many threads. */
  public TraceOptions withThreads(int newThreads) {
    return new TraceOptions(format, blockSize, sharedSystemPrefix, columns, badRecords, newThreads);
  }
}

package io.orrery.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/** Standard output that remembers a failure, which print streams swallow. */
final class ResultStream extends OutputStream {
  private static final String READER_IS_GONE = "Broken pipe";

  private final FileOutputStream stream = new FileOutputStream(FileDescriptor.out);
  private @Nullable String failure;

  /** Whether something could not be written, other than to a reader that has had enough. */
  boolean hasFailed() {
    return failure != null && !failure.contains(READER_IS_GONE);
  }

  /** What went wrong. */
  @Nullable String failure() {
    return failure;
  }

  @Override
  public void write(int value) throws IOException {
    write(new byte[] {(byte) value}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    try {
      stream.write(bytes, offset, length);
    } catch (IOException e) {
      failure = String.valueOf(e.getMessage());
      throw e;
    }
  }
}

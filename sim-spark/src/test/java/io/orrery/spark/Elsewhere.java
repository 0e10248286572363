package io.orrery.spark;

import java.io.IOException;
import java.net.URI;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;

/** A file system of Hadoop's that is not the local one: {@code elsewhere:/folder/file}. */
public final class Elsewhere extends RawLocalFileSystem {
  /** How often a file was opened. */
  static final AtomicInteger OPENED = new AtomicInteger();

  /** How many of the next attempts to open a file fail. */
  static final AtomicInteger BROKEN = new AtomicInteger();

  @Override
  public String getScheme() {
    return "elsewhere";
  }

  @Override
  public URI getUri() {
    return URI.create("elsewhere:///");
  }

  @Override
  public FSDataInputStream open(Path path, int bufferSize) throws IOException {
    if (BROKEN.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
      throw new IOException("the connection was reset");
    }
    OPENED.incrementAndGet();
    return super.open(path, bufferSize);
  }
}

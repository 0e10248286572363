package io.orrery.traces.columns;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Segments that are temporary files, one each, mapped into memory. The operating system keeps in
 * memory what is in use and writes out the rest. A file is deleted as soon as it is mapped (where
 * mapped files cannot be deleted, when Java exits), so that nothing is left even by a process that
 * is killed; its space is free again once the garbage collector has taken the buffer.
 */
final class MappedFiles implements SegmentSource {
  private static final int WRITE_BYTES = 1 << 20;

  private final Path folder;

  MappedFiles(Path folder) {
    this.folder = folder;
  }

  @Override
  public ByteBuffer segment(int bytes) throws IOException {
    Path file = Files.createTempFile(folder, "orrery-columns-", ".tmp");
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      fill(channel, bytes);
      return channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes);
    } finally {
      delete(file);
    }
  }

  /**
   * Writes every byte: a mapped file with holes would kill the process, and not give an error, once
   * the disk is full.
   */
  private static void fill(FileChannel channel, int bytes) throws IOException {
    ByteBuffer zeros = ByteBuffer.allocateDirect(Math.min(bytes, WRITE_BYTES));
    for (int written = 0; written < bytes; ) {
      zeros.position(0).limit(Math.min(zeros.capacity(), bytes - written));
      written += channel.write(zeros);
    }
  }

  private static void delete(Path file) {
    try {
      Files.delete(file);
    } catch (IOException e) {
      file.toFile().deleteOnExit();
    }
  }
}

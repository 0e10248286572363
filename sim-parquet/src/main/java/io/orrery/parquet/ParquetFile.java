package io.orrery.parquet;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Locale;
import org.apache.parquet.format.FileMetaData;

/**
 * An open file: {@code PAR1}, the pages of the row groups, the footer (Thrift), its length (4
 * bytes, little endian), {@code PAR1}.
 */
final class ParquetFile implements Closeable {
  static final byte[] MAGIC = "PAR1".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] ENCRYPTED = "PARE".getBytes(StandardCharsets.US_ASCII);
  private static final int TAIL = Integer.BYTES + MAGIC.length;
  private static final int SHORTEST = MAGIC.length + TAIL;

  private final Path path;
  private final FileChannel channel;
  private final long length;

  private ParquetFile(Path path, FileChannel channel, long length) {
    this.path = path;
    this.channel = channel;
    this.length = length;
  }

  static ParquetFile open(Path path) {
    try {
      FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
      return new ParquetFile(path, channel, channel.size());
    } catch (IOException e) {
      throw unreadable(path, e);
    }
  }

  Path path() {
    return path;
  }

  FileMetaData footer() {
    if (length < MAGIC.length || !Arrays.equals(read(0, MAGIC.length), MAGIC)) {
      byte[] start = read(0, (int) Math.min(length, MAGIC.length));
      if (Arrays.equals(start, ENCRYPTED)) {
        throw new ParquetException(path, null, "an encrypted file", "one that is not encrypted");
      }
      throw new ParquetException(
          path, null, "a file that begins with " + shown(start), "a Parquet file (PAR1)");
    }
    byte[] tail = read(Math.max(0, length - TAIL), (int) Math.min(length, TAIL));
    byte[] end = Arrays.copyOfRange(tail, Math.max(0, tail.length - MAGIC.length), tail.length);
    if (Arrays.equals(end, ENCRYPTED)) {
      throw new ParquetException(path, null, "an encrypted footer", "one that is not encrypted");
    }
    if (length < SHORTEST || !Arrays.equals(end, MAGIC)) {
      throw new ParquetException(
          path,
          null,
          "a Parquet file that ends with " + shown(end),
          "PAR1 at its end, too (it is truncated, or was not finished)");
    }
    int size = ByteBuffer.wrap(tail).order(ByteOrder.LITTLE_ENDIAN).getInt();
    if (size < 0 || size > length - SHORTEST) {
      throw new ParquetException(
          path,
          null,
          "a footer of " + Integer.toUnsignedString(size) + " bytes in a file of " + length,
          "an intact Parquet file");
    }
    FileMetaData footer = new FileMetaData();
    try {
      ThriftBytes.read(footer, read(length - TAIL - size, size), 0);
    } catch (IOException e) {
      throw new ParquetException(path, null, "a damaged footer", "an intact Parquet file", e);
    }
    return footer;
  }

  /**
   * Bytes of the file.
   *
   * @throws ParquetException if they are not all there
   */
  byte[] read(long position, int count) {
    if (position < 0 || count < 0 || position > length - count) {
      throw new ParquetException(
          path,
          null,
          "a reference to bytes " + position + " to " + (position + count) + " of " + length,
          "an intact Parquet file");
    }
    ByteBuffer bytes = ByteBuffer.allocate(count);
    try {
      while (bytes.hasRemaining()) {
        if (channel.read(bytes, position + bytes.position()) < 0) {
          throw new IOException("the file became shorter while it was read");
        }
      }
    } catch (IOException e) {
      throw unreadable(path, e);
    }
    return bytes.array();
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw unreadable(path, e);
    }
  }

  private static ParquetException unreadable(Path path, IOException cause) {
    return new ParquetException(
        path, null, "a file that cannot be read (" + reason(cause) + ")", "a Parquet file", cause);
  }

  /** What went wrong with a file, in a few words. */
  static String reason(IOException cause) {
    String type = cause.getClass().getSimpleName().replace("Exception", "");
    String message = cause.getMessage();
    return switch (type) {
      case "NoSuchFile" -> "it does not exist";
      case "AccessDenied" -> "permission denied";
      default -> message == null ? type : message;
    };
  }

  private static String shown(byte[] bytes) {
    StringBuilder text = new StringBuilder();
    for (byte b : bytes) {
      if (b >= ' ' && b <= '~') {
        text.append((char) b);
      } else {
        text.append(String.format(Locale.ROOT, "\\x%02x", b));
      }
    }
    return text.isEmpty() ? "nothing" : text.toString();
  }
}

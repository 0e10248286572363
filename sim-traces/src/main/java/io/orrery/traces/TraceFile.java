package io.orrery.traces;

import io.airlift.compress.zstd.ZstdInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.tukaani.xz.MemoryLimitException;
import org.tukaani.xz.XZInputStream;

/**
 * A trace file: Parquet, or text that is plain or compressed with gzip, zstd or xz, told by its
 * first bytes. Every failure to read it becomes a {@link TraceException}.
 */
final class TraceFile {
  /**
   * The largest zstd window that the decoder takes; the zstd tool stays below it up to level 19
   * without --long.
   */
  private static final long MAX_ZSTD_WINDOW = 8L << 20;

  /** xz at its highest level takes 65 MiB. */
  private static final int MAX_XZ_KIB = 128 << 10;

  /** More growth than this is an attack, or a mistake. */
  private static final long MOST_GROWTH = 1_000;

  /** Text up to this size may come out of anything. */
  private static final long FREE_BYTES = 64L << 20;

  private static final byte[] BYTE_ORDER_MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};
  private static final int HEAD_BYTES = 512;
  private static final int GZIP_BUFFER = 1 << 16;

  private final StoredFile stored;

  TraceFile(Path path) {
    this(new StoredFile(path, null));
  }

  TraceFile(StoredFile stored) {
    this.stored = stored;
    if (!Files.exists(stored.path())) {
      throw wrong("no such file", "a trace file");
    }
    if (!Files.isReadable(stored.path())) {
      throw wrong("a file that may not be read", "a readable trace file");
    }
  }

  /** The path as the caller gave it, for messages. */
  String name() {
    return stored.name();
  }

  /** The file as such, for readers that do not stream; null for an entry of an archive. */
  @Nullable Path path() {
    return stored.entry() == null ? stored.path() : null;
  }

  /** Bytes as stored. */
  long size() {
    try {
      return stored.size();
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  /** SHA-256 of its first {@code most} bytes as stored, in hexadecimal digits. */
  String digest(long most) {
    MessageDigest digest = sha256();
    byte[] buffer = new byte[1 << 16];
    try (InputStream in = stored.open()) {
      long left = most;
      for (int count; (count = in.read(buffer, 0, (int) Math.min(left, buffer.length))) > 0; ) {
        digest.update(buffer, 0, count);
        left -= count;
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  /** Whether it is a Parquet file. */
  boolean isParquet() {
    try (InputStream in = stored.open()) {
      return starts(in.readNBytes(4), 'P', 'A', 'R', '1');
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  /** A new stream of the decoded text, without its byte order mark. */
  InputStream open() {
    return open(null);
  }

  /** The file's provenance after its stream has been read to the end. */
  TraceProvenance.SourceFile provenance(MessageDigest digest) {
    return new TraceProvenance.SourceFile(
        stored.shortName(), size(), HexFormat.of().formatHex(digest.digest()));
  }

  /** The file's provenance where it has not been read to the end. */
  TraceProvenance.SourceFile unread() {
    return new TraceProvenance.SourceFile(stored.shortName(), size(), "");
  }

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /**
   * The same; the bytes as stored are digested on the way.
   *
   * @param digest complete when the text has been read to its end, null for none
   */
  InputStream open(@Nullable MessageDigest digest) {
    try {
      InputStream bytes = stored.open();
      try {
        return withoutMark(decoded(digest == null ? bytes : new DigestInputStream(bytes, digest)));
      } catch (IOException | TraceException e) {
        bytes.close();
        throw e;
      }
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  private InputStream decoded(InputStream bytes) throws IOException {
    PushbackInputStream in = new PushbackInputStream(bytes, HEAD_BYTES);
    byte[] first = in.readNBytes(HEAD_BYTES);
    in.unread(first);
    if (first.length == 0) {
      throw wrong("an empty file", "at least one request");
    }
    InputStream decoded;
    if (starts(first, 0x1f, 0x8b)) {
      decoded = new Guarded(gunzipped(in), "gzip");
    } else if (starts(first, 0x28, 0xb5, 0x2f, 0xfd)) {
      checkWindow(first);
      decoded = new Guarded(new ZstdInputStream(in), "zstd");
    } else if (starts(first, 0xfd, '7', 'z', 'X', 'Z', 0)) {
      decoded = new Guarded(unpacked(in), "xz");
    } else if (stored.entry() != null) {
      checkText(first);
      decoded = new Guarded(in, "zip");
    } else {
      checkText(first);
      decoded = in;
    }
    return decoded;
  }

  /** The text behind its byte order mark, where it has one. */
  private InputStream withoutMark(InputStream text) throws IOException {
    PushbackInputStream in = new PushbackInputStream(text, BYTE_ORDER_MARK.length);
    byte[] first = in.readNBytes(BYTE_ORDER_MARK.length);
    boolean marked = Arrays.equals(first, BYTE_ORDER_MARK);
    if (marked) {
      first = in.readNBytes(1);
    }
    if (first.length == 0) {
      throw wrong("an empty file", "at least one request");
    }
    in.unread(first);
    return in;
  }

  private InputStream gunzipped(InputStream in) {
    try {
      return new GzipMembers(in, GZIP_BUFFER);
    } catch (IOException e) {
      throw damaged("gzip", e.getMessage());
    }
  }

  private InputStream unpacked(InputStream in) {
    try {
      return new XZInputStream(in, MAX_XZ_KIB);
    } catch (IOException e) {
      throw damaged("xz", e.getMessage());
    }
  }

  /** Text has no control characters but tab, line feed, form feed and carriage return. */
  private void checkText(byte[] first) {
    for (byte b : first) {
      int c = b & 0xff;
      if (c < 0x20 && c != '\t' && c != '\n' && c != '\f' && c != '\r') {
        throw wrong(
            String.format(Locale.ROOT, "binary data (byte 0x%02x)", c),
            "UTF-8 text, plain or compressed with gzip, zstd, xz or zip");
      }
    }
  }

  /**
   * RFC 8878, 3.1.1.1: descriptor, then the window byte (exponent, mantissa) unless the frame is a
   * single segment.
   */
  private void checkWindow(byte[] first) {
    if (first.length < 6) {
      throw damaged("zstd", "its header is cut off");
    }
    boolean singleSegment = (first[4] & 0x20) != 0;
    if (!singleSegment) {
      long base = 1L << (10 + ((first[5] & 0xff) >> 3));
      long window = base + base / 8 * (first[5] & 7);
      if (window > MAX_ZSTD_WINDOW) {
        throw wrong(
            "a zstd window of " + (window >> 20) + " MiB",
            "at most 8 MiB: compress it again without --long and at level 19 or below");
      }
    }
  }

  private static boolean starts(byte[] bytes, int... magic) {
    for (int i = 0; i < magic.length; i++) {
      if (i >= bytes.length || (bytes[i] & 0xff) != magic[i]) {
        return false;
      }
    }
    return true;
  }

  private TraceException wrong(String value, String expected) {
    return new TraceException(name(), 0, null, value, expected);
  }

  private TraceException unreadable(IOException e) {
    return wrong("an unreadable file (" + e.getMessage() + ")", "a readable trace file");
  }

  private TraceException damaged(String codec, @Nullable String why) {
    String reason = why == null ? "" : " (" + why + ")";
    return wrong("damaged or truncated " + codec + " data" + reason, "a complete file");
  }

  /**
   * A decoder whose complaints become trace exceptions, and which gives up on what grows beyond all
   * measure. Claude Code sessions, the most compressible traces known, grow 265-fold.
   */
  private final class Guarded extends InputStream {
    private final InputStream decoder;
    private final String codec;
    private final long most;
    private long count;

    Guarded(InputStream decoder, String codec) throws IOException {
      this.decoder = decoder;
      this.codec = codec;
      most = Math.max(FREE_BYTES, MOST_GROWTH * stored.packedSize());
    }

    @Override
    public int read() {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) {
      int read;
      try {
        read = decoder.read(target, offset, length);
      } catch (MemoryLimitException e) {
        throw wrong(
            "an xz dictionary that takes " + (e.getMemoryNeeded() >> 10) + " MiB",
            "at most " + (MAX_XZ_KIB >> 10) + " MiB: compress it again at level 9 or below");
      } catch (IOException | RuntimeException e) {
        throw damaged(codec, e.getMessage());
      }
      count += Math.max(0, read);
      if (count > most) {
        throw wrong(
            codec + " data that grow more than " + MOST_GROWTH + "-fold",
            "data that grow at most "
                + MOST_GROWTH
                + "-fold, or to at most "
                + (FREE_BYTES >> 20)
                + " MiB");
      }
      return read;
    }

    @Override
    public void close() throws IOException {
      decoder.close();
    }
  }
}

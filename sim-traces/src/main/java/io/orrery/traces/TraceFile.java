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
import java.util.HexFormat;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A trace file, plain, gzip or zstd by its first bytes. Every failure to read it becomes a {@link
 * TraceException}.
 */
final class TraceFile {
  /**
   * The largest zstd window that the decoder takes; the zstd tool stays below it up to level 19
   * without --long.
   */
  private static final long MAX_ZSTD_WINDOW = 8L << 20;

  private static final int HEAD_BYTES = 512;
  private static final int GZIP_BUFFER = 1 << 16;

  private final Path path;

  TraceFile(Path path) {
    this.path = path;
    if (!Files.exists(path)) {
      throw wrong("no such file", "a trace file");
    }
    if (!Files.isReadable(path)) {
      throw wrong("a file that may not be read", "a readable trace file");
    }
  }

  /** The path as the caller gave it, for messages. */
  String name() {
    return path.toString();
  }

  /** Bytes as stored. */
  long size() {
    try {
      return Files.size(path);
    } catch (IOException e) {
      throw wrong("an unreadable file (" + e.getMessage() + ")", "a readable trace file");
    }
  }

  /** Whether the other one is the same file or a copy of it. */
  boolean hasContentOf(TraceFile other) {
    try {
      return Files.mismatch(path, other.path) < 0;
    } catch (IOException e) {
      throw wrong("an unreadable file (" + e.getMessage() + ")", "a readable trace file");
    }
  }

  /** A new stream of the decoded text. */
  InputStream open() {
    return open(false, null);
  }

  /** The same, decoded in a second thread; the bytes as stored are digested on the way. */
  InputStream open(MessageDigest digest) {
    return open(true, digest);
  }

  /** The file's provenance after its stream has been read to the end. */
  TraceProvenance.SourceFile provenance(MessageDigest digest) {
    Path last = path.getFileName();
    try {
      return new TraceProvenance.SourceFile(
          last == null ? path.toString() : last.toString(),
          Files.size(path),
          HexFormat.of().formatHex(digest.digest()));
    } catch (IOException e) {
      throw wrong("an unreadable file (" + e.getMessage() + ")", "a readable trace file");
    }
  }

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  private InputStream open(boolean readAhead, @Nullable MessageDigest digest) {
    try {
      InputStream stored = Files.newInputStream(path);
      try {
        return decoded(digest == null ? stored : new DigestInputStream(stored, digest), readAhead);
      } catch (IOException | TraceException e) {
        stored.close();
        throw e;
      }
    } catch (IOException e) {
      throw wrong("an unreadable file (" + e.getMessage() + ")", "a readable trace file");
    }
  }

  private InputStream decoded(InputStream stored, boolean readAhead) throws IOException {
    PushbackInputStream in = new PushbackInputStream(stored, HEAD_BYTES);
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
    } else {
      checkText(first);
      decoded = in;
    }
    return readAhead ? new ReadAhead(decoded) : decoded;
  }

  private InputStream gunzipped(InputStream in) {
    try {
      return new GzipMembers(in, GZIP_BUFFER);
    } catch (IOException e) {
      throw damaged("gzip", e.getMessage());
    }
  }

  /** Text has no control characters but tab, line feed, form feed and carriage return. */
  private void checkText(byte[] first) {
    for (byte b : first) {
      int c = b & 0xff;
      if (c < 0x20 && c != '\t' && c != '\n' && c != '\f' && c != '\r') {
        throw wrong(
            String.format(Locale.ROOT, "binary data (byte 0x%02x)", c),
            "UTF-8 text, plain or compressed with gzip or zstd");
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

  private TraceException damaged(String codec, @Nullable String why) {
    String reason = why == null ? "" : " (" + why + ")";
    return wrong("damaged or truncated " + codec + " data" + reason, "a complete file");
  }

  /** A decoder whose complaints become trace exceptions. */
  private final class Guarded extends InputStream {
    private final InputStream decoder;
    private final String codec;

    Guarded(InputStream decoder, String codec) {
      this.decoder = decoder;
      this.codec = codec;
    }

    @Override
    public int read() {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) {
      try {
        return decoder.read(target, offset, length);
      } catch (IOException | RuntimeException e) {
        throw damaged(codec, e.getMessage());
      }
    }

    @Override
    public void close() throws IOException {
      decoder.close();
    }
  }
}

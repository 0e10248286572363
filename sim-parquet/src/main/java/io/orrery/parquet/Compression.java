package io.orrery.parquet;

import io.airlift.compress.Compressor;
import io.airlift.compress.snappy.SnappyCompressor;
import io.airlift.compress.snappy.SnappyDecompressor;
import io.airlift.compress.zstd.ZstdCompressor;
import io.airlift.compress.zstd.ZstdDecompressor;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.apache.parquet.format.CompressionCodec;
import org.jspecify.annotations.Nullable;

/** How pages are compressed. All in Java: no native library is unpacked or loaded. */
public enum Compression {
  UNCOMPRESSED {
    @Override
    byte[] compress(byte[] page) {
      return page;
    }

    @Override
    byte[] decompress(byte[] bytes, int from, int length, int size) {
      return Arrays.copyOfRange(bytes, from, from + length);
    }
  },

  /** Fast; what most writers use by default. */
  SNAPPY {
    @Override
    byte[] compress(byte[] page) {
      return packed(new SnappyCompressor(), page);
    }

    @Override
    byte[] decompress(byte[] bytes, int from, int length, int size) throws IOException {
      if (SnappyDecompressor.getUncompressedLength(bytes, from) != size) {
        throw new IOException("a page of another length than its header says");
      }
      byte[] page = new byte[size];
      int actual = new SnappyDecompressor().decompress(bytes, from, length, page, 0, size);
      return exactly(page, actual);
    }
  },

  /** The JDK's. Bytes may differ between Java versions; nothing else here does. */
  GZIP {
    @Override
    byte[] compress(byte[] page) throws IOException {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream(page.length / 2 + 64);
      try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
        out.write(page);
      }
      return bytes.toByteArray();
    }

    @Override
    byte[] decompress(byte[] bytes, int from, int length, int size) throws IOException {
      try (GZIPInputStream in =
          new GZIPInputStream(new ByteArrayInputStream(bytes, from, length))) {
        byte[] page = in.readNBytes(size);
        if (in.read() >= 0) {
          throw new IOException("a page longer than its header says");
        }
        return exactly(page, page.length == size ? size : -1);
      }
    }
  },

  /** Small and fast: the default. */
  ZSTD {
    @Override
    byte[] compress(byte[] page) {
      return packed(new ZstdCompressor(), page);
    }

    @Override
    byte[] decompress(byte[] bytes, int from, int length, int size) throws IOException {
      byte[] page = new byte[size];
      int actual = new ZstdDecompressor().decompress(bytes, from, length, page, 0, size);
      return exactly(page, actual);
    }
  };

  /** A page's bytes, compressed. */
  abstract byte[] compress(byte[] page) throws IOException;

  /**
   * The {@code size} bytes that {@code length} bytes from {@code from} on were made of.
   *
   * @throws IOException or RuntimeException if they were not
   */
  abstract byte[] decompress(byte[] bytes, int from, int length, int size) throws IOException;

  /** As the file names it. */
  CompressionCodec codec() {
    return CompressionCodec.valueOf(name());
  }

  /** The one that a file names, null if it is none of ours. */
  static @Nullable Compression of(@Nullable CompressionCodec codec) {
    for (Compression compression : values()) {
      if (compression.codec() == codec) {
        return compression;
      }
    }
    return null;
  }

  static byte[] packed(Compressor compressor, byte[] page) {
    byte[] bytes = new byte[compressor.maxCompressedLength(page.length)];
    return Arrays.copyOf(bytes, compressor.compress(page, 0, page.length, bytes, 0, bytes.length));
  }

  static byte[] exactly(byte[] page, int actual) throws IOException {
    if (actual != page.length) {
      throw new IOException("a page of another length than its header says");
    }
    return page;
  }
}

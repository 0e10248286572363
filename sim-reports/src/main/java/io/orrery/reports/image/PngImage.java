package io.orrery.reports.image;

import java.awt.image.BufferedImage;
import java.awt.image.DataBufferInt;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;

/**
 * A drawing as PNG (ISO/IEC 15948): eight bits a colour, rows without filters. Java's own writer
 * tries every filter on every row, which takes three times as long as drawing does and gains
 * nothing on plain areas.
 */
final class PngImage {
  private static final byte[] SIGNATURE = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};

  /** Colour type of red, green and blue without transparency. */
  private static final int TRUE_COLOUR = 2;

  /** Of ten; higher ones take longer and save little. */
  private static final int COMPRESSION = 3;

  private PngImage() {}

  /** An image of a width and a height that {@link #write} takes. */
  static BufferedImage blank(int width, int height) {
    return new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
  }

  /** Writes an image from {@link #blank}. */
  static void write(BufferedImage image, OutputStream out) throws IOException {
    out.write(SIGNATURE);
    ByteArrayOutputStream header = new ByteArrayOutputStream();
    DataOutputStream fields = new DataOutputStream(header);
    fields.writeInt(image.getWidth());
    fields.writeInt(image.getHeight());
    fields.write(new byte[] {8, TRUE_COLOUR, 0, 0, 0});
    chunk("IHDR", header.toByteArray(), out);
    chunk("IDAT", pixels(image), out);
    chunk("IEND", new byte[0], out);
    out.flush();
  }

  private static byte[] pixels(BufferedImage image) throws IOException {
    int[] colours = ((DataBufferInt) image.getRaster().getDataBuffer()).getData();
    int width = image.getWidth();
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    Deflater deflater = new Deflater(COMPRESSION);
    try (OutputStream out = new DeflaterOutputStream(packed, deflater, 1 << 15)) {
      // The first byte of a row names its filter: none.
      byte[] row = new byte[1 + 3 * width];
      for (int from = 0; from < colours.length; from += width) {
        int at = 1;
        for (int i = from; i < from + width; i++) {
          row[at++] = (byte) (colours[i] >> 16);
          row[at++] = (byte) (colours[i] >> 8);
          row[at++] = (byte) colours[i];
        }
        out.write(row);
      }
    } finally {
      deflater.end();
    }
    return packed.toByteArray();
  }

  /** Length, name, content, and a checksum of the latter two. */
  private static void chunk(String name, byte[] content, OutputStream out) throws IOException {
    byte[] type = name.getBytes(StandardCharsets.US_ASCII);
    CRC32 checksum = new CRC32();
    checksum.update(type);
    checksum.update(content);
    DataOutputStream data = new DataOutputStream(out);
    data.writeInt(content.length);
    data.write(type);
    data.write(content);
    data.writeInt((int) checksum.getValue());
    data.flush();
  }
}

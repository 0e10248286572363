package io.orrery.traces;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.GZIPOutputStream;

/**
 * Reads damaged, long and compressed files of every format, several at once, in a process whose
 * memory ends early: whatever a thread takes is taken from that. Prints the bytes that are mapped
 * at the end, which columns never give back.
 */
final class LittleMemory {
  private static final int ROUNDS = 20;
  private static final int SHARDS = 4;

  private final Path folder;

  private LittleMemory(Path folder) {
    this.folder = folder;
  }

  /** The folder to write files to. */
  public static void main(String[] arguments) throws IOException {
    LittleMemory reads = new LittleMemory(Path.of(arguments[0]));
    for (TraceFormat format : FormatConformanceTest.formats().toList()) {
      reads.damagedShards(format);
      reads.manyRows(format);
      reads.longLine(format);
      reads.bomb(format);
    }
    long mapped =
        ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
            .filter(pool -> pool.getName().equals("mapped"))
            .mapToLong(BufferPoolMXBean::getTotalCapacity)
            .sum();
    System.out.println("mapped " + mapped);
  }

  private void damagedShards(TraceFormat format) throws IOException {
    SplittableRandom random = new SplittableRandom(format.ordinal() + 1_000);
    byte[] original = FormatSamples.of(format).text().getBytes(UTF_8);
    for (int round = 0; round < ROUNDS; round++) {
      List<Path> shards = new ArrayList<>();
      for (int shard = 0; shard < SHARDS; shard++) {
        byte[] bytes = original;
        for (int edits = 1 + random.nextInt(3); edits > 0; edits--) {
          bytes = Mutations.mutated(bytes, random);
        }
        shards.add(Files.write(folder.resolve("shard-" + shard), bytes));
      }
      TraceOptions options = FormatSamples.options(format);
      read(shards, options);
      read(shards, options.withFormat(format).withBadRecords(BadRecords.DROPPED));
    }
  }

  /** Blocks made up of lengths, as many as there are numbers for. */
  private void manyRows(TraceFormat format) throws IOException {
    boolean texts = format == TraceFormat.AIPERF_INPUTS;
    Path file = folder.resolve("rows");
    Files.writeString(file, FormatRows.of(format, 2_000, texts ? 64 : 999_000_000));
    read(List.of(file), FormatSamples.options(format));
  }

  private void longLine(TraceFormat format) throws IOException {
    FormatSamples.Sample sample = FormatSamples.of(format);
    String first = sample.lines().get(0);
    Path file = folder.resolve("long.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write((sample.isTable() ? first + "\n\"" : "{\"x\": [0").getBytes(UTF_8));
      byte[] piece =
          (sample.isTable() ? "abcdefghij" : ",123456789").repeat(10_000).getBytes(UTF_8);
      for (int written = 0; written < 50_000_000; written += piece.length) {
        out.write(piece);
      }
      out.write((sample.isTable() ? "\"" : "], " + first.substring(1)).getBytes(UTF_8));
    }
    read(List.of(file), FormatSamples.options(format));
  }

  private void bomb(TraceFormat format) throws IOException {
    Path file = folder.resolve("bomb.gz");
    byte[] nothing = new byte[1 << 20];
    Arrays.fill(nothing, (byte) ' ');
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write(FormatSamples.of(format).text().getBytes(UTF_8));
      for (int mebibytes = 0; mebibytes < 80; mebibytes++) {
        out.write(nothing);
      }
    }
    read(List.of(file), FormatSamples.options(format));
  }

  private static void read(List<Path> files, TraceOptions options) {
    try {
      TraceReaders.read(files, options);
    } catch (TraceException e) {
      // as it should be
    }
  }
}

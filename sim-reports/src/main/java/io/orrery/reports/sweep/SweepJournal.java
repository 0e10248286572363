package io.orrery.reports.sweep;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The finished points of a sweep, a line each, in a file: written as soon as they are finished, so
 * that a sweep that was killed goes on where it stood. Only where the lines are is kept in memory.
 * May be used by several threads.
 */
public final class SweepJournal implements AutoCloseable {
  private static final int CHUNK = 1 << 16;

  /** Puts bytes at the file's end. */
  interface Appender {
    void append(FileChannel file, ByteBuffer bytes) throws IOException;
  }

  /** Where a line is. */
  private record Span(long from, int length) {}

  private final Path file;
  private final Appender appender;
  private final Map<String, Span> lines = new HashMap<>();
  private FileChannel channel;
  private long end;
  private int damaged;

  private SweepJournal(Path file, Appender appender) throws IOException {
    this.file = file;
    this.appender = appender;
    channel = channelOf(file);
    scan();
  }

  private static FileChannel channelOf(Path file) throws IOException {
    return FileChannel.open(
        file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
  }

  /**
   * Opens a file, a new one if there is none. A last line without an end, which a killed sweep may
   * leave, goes; other lines that cannot be understood are counted in {@link #damaged()}.
   */
  public static SweepJournal open(Path file) throws IOException {
    return new SweepJournal(file, SweepJournal::writeAll);
  }

  /** Opens a file that is written in a way of its own. */
  static SweepJournal open(Path file, Appender appender) throws IOException {
    return new SweepJournal(file, appender);
  }

  private static void writeAll(FileChannel file, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      file.write(bytes);
    }
  }

  private void scan() throws IOException {
    ByteBuffer chunk = ByteBuffer.allocate(CHUNK);
    long lineFrom = 0;
    long at = 0;
    while (channel.read(chunk.clear(), at) > 0) {
      chunk.flip();
      for (int i = 0; i < chunk.limit(); i++) {
        if (chunk.get(i) == '\n') {
          take(new Span(lineFrom, (int) (at + i - lineFrom)));
          lineFrom = at + i + 1;
        }
      }
      at += chunk.limit();
    }
    end = lineFrom;
    channel.truncate(end);
  }

  private void take(Span span) throws IOException {
    try {
      lines.put(PointResult.read(text(span)).key(), span);
    } catch (IllegalArgumentException e) {
      damaged++;
    }
  }

  private String text(Span span) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(span.length());
    while (bytes.hasRemaining() && channel.read(bytes, span.from() + bytes.position()) > 0) {
      // until it is whole
    }
    return new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
  }

  /** Lines that could not be understood. */
  public synchronized int damaged() {
    return damaged;
  }

  /** Whether a point is finished. */
  public synchronized boolean has(String key) {
    return lines.containsKey(key);
  }

  /** A finished point. */
  public synchronized PointResult get(String key) {
    Span span = lines.get(key);
    if (span == null) {
      throw new IllegalArgumentException("no finished point " + key);
    }
    try {
      return PointResult.read(text(span));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Keeps a point.
   *
   * @throws IOException if it cannot be written whole; those before stay as they are
   */
  public synchronized void add(PointResult result) throws IOException {
    byte[] line = (result.toJson() + "\n").getBytes(StandardCharsets.UTF_8);
    try {
      channel.position(end);
      appender.append(channel, ByteBuffer.wrap(line));
    } catch (IOException e) {
      channel.truncate(end);
      throw e;
    }
    lines.put(result.key(), new Span(end, line.length - 1));
    end += line.length;
  }

  /**
   * Puts the lines in order: those of these points first, each once, then what is left of other
   * sweeps.
   */
  public synchronized void order(Collection<String> keys) throws IOException {
    Set<String> ordered = new LinkedHashSet<>(keys);
    ordered.retainAll(lines.keySet());
    ordered.addAll(new TreeSet<>(lines.keySet()));
    if (isInOrder(ordered)) {
      return;
    }
    Path work = file.resolveSibling(file.getFileName() + ".partial");
    Map<String, Span> moved = new HashMap<>();
    long at = 0;
    try (FileChannel out =
        FileChannel.open(
            work,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      for (String key : ordered) {
        byte[] line = (text(spanOf(key)) + "\n").getBytes(StandardCharsets.UTF_8);
        writeAll(out, ByteBuffer.wrap(line));
        moved.put(key, new Span(at, line.length - 1));
        at += line.length;
      }
      out.force(true);
    } catch (IOException e) {
      Files.deleteIfExists(work);
      throw e;
    }
    channel.close();
    Files.move(work, file, StandardCopyOption.REPLACE_EXISTING);
    channel = channelOf(file);
    lines.clear();
    lines.putAll(moved);
    end = at;
  }

  private Span spanOf(String key) {
    Span span = lines.get(key);
    if (span == null) {
      throw new IllegalStateException("no line of " + key);
    }
    return span;
  }

  private boolean isInOrder(Collection<String> ordered) {
    long at = 0;
    for (String key : ordered) {
      Span span = spanOf(key);
      if (span.from() != at) {
        return false;
      }
      at += span.length() + 1L;
    }
    return at == end;
  }

  /** The keys of all finished points, sorted. */
  public synchronized List<String> keys() {
    return new ArrayList<>(new TreeSet<>(lines.keySet()));
  }

  @Override
  public synchronized void close() throws IOException {
    channel.close();
  }
}

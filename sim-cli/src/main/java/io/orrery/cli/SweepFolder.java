package io.orrery.cli;

import io.orrery.reports.sweep.SweepJournal;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The folder of a sweep: finished points are kept in it as they come, everything else is written at
 * the end. One process at a time may work in it. Without a folder, finished points go to a
 * temporary file.
 */
final class SweepFolder implements AutoCloseable {
  private static final String POINTS = "points.jsonl";
  private static final String LOCK = "sweep.lock";

  /** All that may be among the files. */
  static final List<String> NAMES =
      List.of(
          POINTS,
          POINTS + ".partial",
          LOCK,
          "summary.json",
          "plan.json",
          "points.parquet",
          "report.json",
          "report.html",
          "report.md",
          "charts");

  private final @Nullable Path asked;
  private final @Nullable OutputFolder output;
  private final List<AutoCloseable> open = new ArrayList<>();
  private final SweepJournal journal;

  private SweepFolder(@Nullable Path asked, @Nullable OutputFolder output) throws IOException {
    this.asked = asked;
    this.output = output;
    if (asked == null) {
      Path file = Files.createTempFile("orrery-sweep-", ".jsonl");
      file.toFile().deleteOnExit();
      open.add(() -> Files.deleteIfExists(file));
      journal = SweepJournal.open(file);
    } else {
      Files.createDirectories(asked);
      lock(asked);
      journal = SweepJournal.open(asked.resolve(POINTS));
    }
    open.add(journal);
  }

  /**
   * Opens a folder.
   *
   * @param folder of {@code -o}, null for none
   * @param force whether other files may stand in it
   * @throws UsageException if it cannot be used, or another sweep is using it
   */
  static SweepFolder open(@Nullable Path folder, boolean force) {
    OutputFolder output = folder == null ? null : OutputFolder.claim(folder, NAMES, force);
    try {
      return new SweepFolder(folder, output);
    } catch (IOException e) {
      throw new UsageException(
          (folder == null ? "temporary folder" : "-o " + folder)
              + ": cannot be used ("
              + IoReason.of(e)
              + ")");
    }
  }

  private void lock(Path folder) throws IOException {
    FileChannel channel =
        FileChannel.open(folder.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    FileLock lock;
    try {
      lock = channel.tryLock();
    } catch (OverlappingFileLockException e) {
      lock = null;
    }
    if (lock == null) {
      channel.close();
      throw new UsageException(
          "-o " + folder + ": another sweep is writing into it; expected a folder of its own");
    }
    open.add(channel); // which releases the lock
  }

  /** The finished points. */
  SweepJournal journal() {
    return journal;
  }

  /** Whether there is a folder to write into. */
  boolean isKept() {
    return asked != null;
  }

  /** Writes files, all or none. */
  void write(Map<String, OutputFolder.Content> files) {
    if (output != null) {
      output.write(files);
    }
  }

  /** What went wrong with writing, for the user: what is finished stays. */
  UsageException failure(Exception failure) {
    IOException cause =
        failure instanceof IOException io
            ? io
            : failure.getCause() instanceof IOException io
                ? io
                : new IOException(failure.getMessage());
    return new UsageException(
        (asked == null ? "temporary folder" : "-o " + asked)
            + ": cannot be written ("
            + IoReason.of(cause)
            + ")"
            + (asked == null ? "" : "; finished points are kept, the same command goes on there"));
  }

  @Override
  public void close() {
    for (int i = open.size() - 1; i >= 0; i--) {
      try {
        open.get(i).close();
      } catch (Exception e) {
        // It was only read from by now.
        continue;
      }
    }
  }
}

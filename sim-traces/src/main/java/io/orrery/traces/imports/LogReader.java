package io.orrery.traces.imports;

import java.nio.file.Path;
import java.util.List;

/** Reads the logs of one agent. */
interface LogReader {
  /** Whether a file is a log, by its name; others are left alone. */
  boolean isLog(Path file);

  /**
   * The sessions in the files, which are sorted by path.
   *
   * @param findings takes all that was left out or is odd
   */
  List<LoggedSession> read(List<Path> files, LogFindings findings);
}

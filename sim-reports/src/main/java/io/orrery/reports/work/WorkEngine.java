package io.orrery.reports.work;

import io.orrery.reports.table.ResultTable;
import io.orrery.reports.traces.TraceSummary;
import io.orrery.traces.TraceOptions;
import java.io.IOException;
import java.io.Serializable;
import java.util.List;
import java.util.function.Consumer;

/** Other processes that do work. May be used by several threads. */
public interface WorkEngine extends AutoCloseable {
  /** This process as a place of work, with the same traces in it. */
  WorkPlace here();

  /** How many pieces are done at once. */
  int width();

  /**
   * Does pieces of work.
   *
   * @param count how many
   * @param taker takes what comes of each piece, once, in any order, never two at once; what it
   *     throws ends the work
   * @throws WorkFailedException if a piece cannot be done, however often it is tried
   */
  <T extends Serializable> void run(int count, Work<T> work, Consumer<T> taker);

  /**
   * Writes a table as a Parquet data set, a folder for each variant; replaces the one that is there
   * when it is whole.
   *
   * @param place a folder that all processes see
   */
  void write(ResultTable table, String place) throws IOException;

  /**
   * What a trace is like, without reading it whole into one process.
   *
   * @param places files of Orrery's own format, or of any other that can be read in one process
   */
  TraceSummary summarise(List<String> places, TraceOptions options);

  @Override
  void close();
}

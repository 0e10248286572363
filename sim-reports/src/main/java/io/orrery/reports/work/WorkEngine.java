package io.orrery.reports.work;

import io.orrery.reports.table.ResultTable;
import io.orrery.reports.traces.TraceSummary;
import io.orrery.traces.TraceOptions;
import java.io.IOException;
import java.util.List;

/** Other processes that do work. */
public interface WorkEngine extends Workers, AutoCloseable {
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

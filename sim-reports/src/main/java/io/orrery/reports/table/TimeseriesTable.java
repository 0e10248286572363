package io.orrery.reports.table;

import io.orrery.reports.figures.RunFigures;
import io.orrery.reports.summary.ClusterTimeline;
import java.io.IOException;
import java.util.List;

/** How the cluster went over time: means over equal stretches of each run. */
public final class TimeseriesTable {
  private TimeseriesTable() {}

  /** The table of some runs. */
  public static ResultTable of(List<RunFigures> runs) {
    return new ResultTable(
        "timeseries",
        new TableColumns()
            .text("run", "Variant.")
            .decimal("from_s", "Where the stretch begins, seconds of simulated time.")
            .decimal("to_s", "Where it ends.")
            .decimal("sessions_live", "Root sessions alive, mean.")
            .decimal("sessions_active", "Root sessions with a request on its way, mean.")
            .decimal("requests_waiting", "Requests sent and not yet in a step, mean.")
            .decimal("requests_running", "Requests in steps, mean.")
            .decimal("working_set_tokens", "Working set, mean.")
            .decimal("output_tokens_per_s", "Output tokens, counted where their request ended.")
            .decimal("kv_used_blocks", "KV blocks in use on all workers, mean.")
            .decimal(
                "kv_kept_blocks",
                "Distinct blocks that can be found again, worker by worker, in use or not, mean.")
            .list(),
        sink -> {
          for (RunFigures run : runs) {
            write(run, sink);
          }
        });
  }

  private static void write(RunFigures run, RowSink sink) throws IOException {
    ClusterTimeline timeline = run.run().timeline();
    double[] edges = run.running().edgesSeconds();
    double[][] levels = {
      timeline.liveProfile().means(),
      timeline.activeProfile().means(),
      run.waiting().means(),
      run.running().means(),
      timeline.workingSetProfile().means(),
      run.outputPerSecond(),
      run.usedBlocks().means(),
      run.keptBlocks().means()
    };
    int block = run.run().result().blockSize();
    for (int i = 0; i < edges.length - 1; i++) {
      sink.text(run.name());
      sink.decimal(edges[i]);
      sink.decimal(edges[i + 1]);
      for (int k = 0; k < levels.length; k++) {
        sink.decimalOrNothing(levels[k][i] * (k == 4 ? block : 1));
      }
      sink.endRow();
    }
  }
}

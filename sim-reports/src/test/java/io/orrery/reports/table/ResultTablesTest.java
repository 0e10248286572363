package io.orrery.reports.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.parquet.ParquetReader;
import io.orrery.parquet.ParquetTable;
import io.orrery.parquet.WriteOptions;
import io.orrery.reports.figures.RunFigures;
import io.orrery.reports.figures.SampleReport;
import io.orrery.traces.Trace;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultTablesTest {
  @TempDir Path folder;

  private final RunFigures run = SampleReport.figures("r");
  private final List<RunRows> rows = List.of(new RunRows("r", run.run()));

  private static List<String> csv(ResultTable table) throws IOException {
    StringWriter out = new StringWriter();
    CsvSink.write(table, out);
    return out.toString().lines().toList();
  }

  @Test
  void everyRequestIsALine() throws IOException {
    List<String> lines = csv(RequestsTable.of(rows));

    assertThat(lines).hasSize(4);
    assertThat(lines.get(0)).startsWith("run,request,session,turn,copy,state,worker,input_tokens");
    assertThat(lines.get(1)).startsWith("r,a1,a,0,0,finished,0,8,2,0,0,0,0,0,0,10000000,20000000,");
    assertThat(lines.get(2)).startsWith("r,a2,a,1,0,finished,0,12,1,0,120000000,");
  }

  @Test
  void everySessionIsALine() throws IOException {
    // a: two turns on worker 0, 20 tokens in, the first block of a2 and the second were reused.
    assertThat(csv(SessionsTable.of(rows)))
        .contains(
            "r,a,a,0,2,1,0,130000000,20,8,3,1,1,0,0",
            "r,b,b,0,1,1,1000000000,1030000000,8,4,3,1,0,0,0");
  }

  @Test
  void aWorkersTimeIsAllOfTheRun() throws IOException {
    String[] cells = csv(WorkersTable.of(rows)).get(1).split(",");
    assertThat(Long.parseLong(cells[5]) + Long.parseLong(cells[6]) + Long.parseLong(cells[7]))
        .isEqualTo(run.run().result().endNanos());
  }

  @Test
  void stretchesOfTimeFollowOneAnother() throws IOException {
    List<String> lines = csv(TimeseriesTable.of(List.of(run)));
    assertThat(lines).hasSize(1 + RunFigures.STRETCHES);
    for (int i = 2; i < lines.size(); i++) {
      assertThat(lines.get(i).split(",")[1]).isEqualTo(lines.get(i - 1).split(",")[2]);
    }
  }

  @Test
  void parquetHoldsTheSameRows() throws IOException {
    for (ResultTable table :
        List.of(
            RequestsTable.of(rows),
            SessionsTable.of(rows),
            WorkersTable.of(rows),
            TimeseriesTable.of(List.of(run)))) {
      Path file = folder.resolve(table.name() + ".parquet");
      ParquetSink.write(table, file, WriteOptions.of("test"), Map.of("scenario", "s"));
      ParquetTable read = ParquetReader.readTable(file);
      assertThat(read.schema()).isEqualTo(table.schema());
      assertThat(read.rowCount()).as(table.name()).isEqualTo(csv(table).size() - 1);
    }
  }

  @Test
  void aSpreadsheetTakesNothingForAFormula() throws IOException {
    Trace trace =
        Trace.builder(4)
            .session("@SUM(A1)")
            .request("=cmd|' /C calc'!A0")
            .input(8)
            .output(2)
            .blocks(1, 2)
            .arrival(0)
            .build();
    RunFigures hostile = SampleReport.figures("+1", trace);
    List<String> lines = csv(RequestsTable.of(List.of(new RunRows(hostile.name(), hostile.run()))));
    assertThat(lines.get(1)).startsWith("'+1,'=cmd|' /C calc'!A0,'@SUM(A1),");
  }
}

package io.orrery.scenarios.measured;

import io.orrery.models.Catalog;
import io.orrery.scenarios.text.ScenarioException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Files of measured closed-loop configurations: CSV, a row each. */
public final class ClosedLoopFile {
  private static final List<String> COLUMNS =
      List.of(
          "system",
          "model",
          "engine",
          "engine_version",
          "gemm_quant",
          "moe_quant",
          "isl",
          "osl",
          "concurrency",
          "tp",
          "pp",
          "attention_dp",
          "moe_ep",
          "ttft_ms",
          "tpot_ms");

  /** What follows from others, or is about repeats. */
  private static final List<String> OPTIONAL =
      List.of("moe_tp", "repeats", "ttft_spread", "tpot_spread");

  /** A day. */
  private static final double LONGEST_MILLIS = 86.4e6;

  private ClosedLoopFile() {}

  /**
   * Reads a file.
   *
   * @throws ScenarioException if a column is missing or unknown, a number is none, or an engine,
   *     model or system has a name that nobody knows; with file, line and column
   */
  public static List<ClosedLoopRow> read(Path file, Catalog catalog) throws IOException {
    List<ClosedLoopRow> rows = new ArrayList<>();
    CsvTable table =
        CsvTable.read(file.toString(), Files.newBufferedReader(file), COLUMNS, OPTIONAL);
    for (CsvTable.Row row : table.rows()) {
      require(row, "system", SourceNames.gpu(row.text("system")), catalog.gpuNames());
      require(row, "model", SourceNames.model(row.text("model")), catalog.modelNames());
      require(row, "engine", row.text("engine"), SourceNames.ENGINES);
      require(row, "gemm_quant", row.text("gemm_quant"), SourceNames.FORMATS);
      require(row, "moe_quant", row.text("moe_quant"), SourceNames.FORMATS);
      rows.add(row(file.toString(), row));
    }
    return List.copyOf(rows);
  }

  private static ClosedLoopRow row(String file, CsvTable.Row row) {
    return new ClosedLoopRow(
        file,
        row.line(),
        row.text("system"),
        row.text("model"),
        row.text("engine"),
        row.text("engine_version"),
        row.text("gemm_quant"),
        row.text("moe_quant"),
        row.whole("isl", 1),
        row.whole("osl", 2),
        row.whole("concurrency", 1),
        row.whole("tp", 1),
        row.whole("pp", 1),
        row.whole("attention_dp", 1),
        row.whole("moe_ep", 1),
        row.positive("ttft_ms", LONGEST_MILLIS),
        row.positive("tpot_ms", LONGEST_MILLIS),
        row.has("repeats") ? row.whole("repeats", 1) : 1,
        row.numberOrNone("ttft_spread"),
        row.numberOrNone("tpot_spread"));
  }

  private static void require(
      CsvTable.Row row, String column, String name, Collection<String> known) {
    if (!known.contains(name)) {
      throw row.wrong(column, "a known one: " + String.join(", ", known));
    }
  }
}

package io.orrery.scenarios.fidelity;

import io.orrery.models.Precision;
import io.orrery.scenarios.measured.ClosedLoopRow;
import io.orrery.scenarios.measured.CsvTable;
import io.orrery.scenarios.measured.SourceNames;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * How the measured engines were started, from the scripts that the measurements were made with
 * ({@code serving.csv}): facts that the measurements themselves do not state.
 *
 * @param kv precision of the KV cache
 * @param batchedTokens token budget of a step
 * @param maxSequences requests that may be running at once
 * @param kernels whose kernels run: vllm or trtllm
 * @param expertKernels whose experts run
 * @param use what the measurement is good for
 * @param note what the engine was started with that a replay lacks, empty for nothing
 */
record ServingSettings(
    Precision kv,
    int batchedTokens,
    int maxSequences,
    String kernels,
    String expertKernels,
    Use use,
    String note) {
  /** What a measurement is good for. */
  enum Use {
    /** Replayed, and host constants are fitted to it. */
    FIT,
    /** Replayed only: the engine did something that a replay lacks. */
    SHOW,
    /** Not replayed. */
    SKIP
  }

  private static final String RESOURCE = "serving.csv";
  private static final String ANY = "*";
  private static final List<String> COLUMNS =
      List.of(
          "engine",
          "system",
          "model",
          "weights",
          "version",
          "lengths",
          "tp",
          "kv",
          "batched_tokens",
          "max_sequences",
          "kernels",
          "expert_kernels",
          "use",
          "note",
          "source");

  /** The table: the first row that fits decides. */
  static final class Table {
    private final List<CsvTable.Row> rows;

    private Table(List<CsvTable.Row> rows) {
      this.rows = rows;
    }

    /** The table that ships. */
    static Table bundled() {
      try (InputStream in =
          Objects.requireNonNull(ServingSettings.class.getResourceAsStream(RESOURCE))) {
        return new Table(
            CsvTable.read(
                    RESOURCE, new InputStreamReader(in, StandardCharsets.UTF_8), COLUMNS, List.of())
                .rows());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    /** How the engine of a measurement was started. */
    ServingSettings of(ClosedLoopRow row, Precision weights) {
      for (CsvTable.Row entry : rows) {
        if (fits(entry.text("engine"), row.engine())
            && fits(entry.text("system"), SourceNames.gpu(row.system()))
            && fits(entry.text("model"), SourceNames.model(row.model()))
            && fits(entry.text("weights"), weights.label())
            && fits(entry.text("version"), row.engineVersion())
            && fits(entry.text("lengths"), row.inputTokens() + "+" + row.outputTokens())
            && fitsOne(entry.text("tp"), Integer.toString(row.tensorParallel()))) {
          return new ServingSettings(
              Precision.kv(entry.text("kv")),
              batchedTokens(entry, row),
              maxSequences(entry, row),
              entry.text("kernels"),
              entry.text("expert_kernels"),
              Use.valueOf(entry.text("use").toUpperCase(Locale.ROOT)),
              entry.text("note"));
        }
      }
      throw new IllegalStateException(RESOURCE + ": no row fits " + row);
    }

    private static boolean fits(String pattern, String name) {
      return pattern.equals(ANY) || pattern.equals(name);
    }

    private static boolean fitsOne(String pattern, String name) {
      return pattern.equals(ANY) || List.of(pattern.split("\\+", -1)).contains(name);
    }

    /** A number; {@code length}: longest prompt and output; {@code prompt}: a prompt at a time. */
    private static int batchedTokens(CsvTable.Row entry, ClosedLoopRow row) {
      return switch (entry.text("batched_tokens")) {
        case "length" -> row.inputTokens() + row.outputTokens() + 200;
        case "prompt" -> (row.concurrency() + row.inputTokens() + 127) / 64 * 64;
        default -> entry.whole("batched_tokens", 1);
      };
    }

    private static int maxSequences(CsvTable.Row entry, ClosedLoopRow row) {
      return entry.text("max_sequences").equals("concurrency")
          ? row.concurrency()
          : Math.max(row.concurrency(), entry.whole("max_sequences", 1));
    }
  }
}

package io.orrery.models.kernels;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A measured configuration of a closed-loop benchmark: a fixed number of requests in flight,
 * lengths uniform between 80 and 100 % of the nominal ones.
 *
 * @param system name of the system in the source, such as {@code b200_sxm}
 * @param model name of the model in the source
 * @param engine engine
 * @param engineVersion its version, empty if unknown
 * @param denseFormat format of the projections
 * @param expertFormat format of the experts
 * @param inputTokens nominal prompt length
 * @param outputTokens nominal output length
 * @param concurrency requests in flight
 * @param tensorParallel GPUs that share every layer
 * @param pipelineParallel stages
 * @param attentionParallel replicas of the attention
 * @param expertParallel groups that the experts are dealt to
 * @param ttftMillis time to first token
 * @param tpotMillis time per output token
 */
public record ClosedLoopRow(
    String system,
    String model,
    String engine,
    String engineVersion,
    String denseFormat,
    String expertFormat,
    int inputTokens,
    int outputTokens,
    int concurrency,
    int tensorParallel,
    int pipelineParallel,
    int attentionParallel,
    int expertParallel,
    double ttftMillis,
    double tpotMillis) {

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

  /**
   * Reads a file of measured configurations, a header and a line each.
   *
   * @throws IllegalArgumentException if a column is missing or a number is none, with file and line
   */
  public static List<ClosedLoopRow> read(Path file) {
    List<String> lines;
    try {
      lines = Files.readAllLines(file, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    List<String> header = Arrays.asList(lines.get(0).split(",", -1));
    int[] at = new int[COLUMNS.size()];
    for (int i = 0; i < at.length; i++) {
      at[i] = header.indexOf(COLUMNS.get(i));
      if (at[i] < 0) {
        throw new IllegalArgumentException(file + ":1: " + COLUMNS.get(i) + ": no such column");
      }
    }
    List<ClosedLoopRow> rows = new ArrayList<>();
    for (int line = 1; line < lines.size(); line++) {
      try {
        rows.add(row(lines.get(line).split(",", -1), at));
      } catch (NumberFormatException | IndexOutOfBoundsException e) {
        throw new IllegalArgumentException(file + ":" + (line + 1) + ": " + e.getMessage(), e);
      }
    }
    return List.copyOf(rows);
  }

  private static ClosedLoopRow row(String[] words, int[] at) {
    int[] n = new int[7];
    for (int i = 0; i < n.length; i++) {
      n[i] = Integer.parseInt(words[at[6 + i]]);
    }
    return new ClosedLoopRow(
        words[at[0]],
        words[at[1]],
        words[at[2]],
        words[at[3]],
        words[at[4]],
        words[at[5]],
        n[0],
        n[1],
        n[2],
        n[3],
        n[4],
        n[5],
        n[6],
        Double.parseDouble(words[at[13]]),
        Double.parseDouble(words[at[14]]));
  }
}

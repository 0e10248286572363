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

  /** A day. */
  private static final double LONGEST_MILLIS = 86.4e6;

  private static final String MILLIS = "milliseconds, above 0 and at most a day";

  /**
   * Reads a file of measured configurations, a header and a line each.
   *
   * @throws IllegalArgumentException if a column is missing or a value makes no sense, with file,
   *     line and column
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
      String[] words = lines.get(line).split(",", -1);
      String where = file + ":" + (line + 1) + ": ";
      if (words.length != header.size()) {
        throw new IllegalArgumentException(
            where + words.length + " fields, expected " + header.size() + ", as in the header");
      }
      rows.add(row(where, words, at));
    }
    if (rows.isEmpty()) {
      throw new IllegalArgumentException(file + ": no rows, expected a header and at least one");
    }
    return List.copyOf(rows);
  }

  private static ClosedLoopRow row(String where, String[] words, int[] at) {
    int[] n = new int[7];
    for (int i = 0; i < n.length; i++) {
      n[i] = whole(where, COLUMNS.get(6 + i), words[at[6 + i]]);
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
        millis(where, COLUMNS.get(13), words[at[13]]),
        millis(where, COLUMNS.get(14), words[at[14]]));
  }

  private static int whole(String where, String column, String text) {
    try {
      int value = Integer.parseInt(text);
      if (value >= 1) {
        return value;
      }
    } catch (NumberFormatException e) {
      throw wrong(where, column, text, "a whole number from 1 up");
    }
    throw wrong(where, column, text, "a whole number from 1 up");
  }

  private static double millis(String where, String column, String text) {
    try {
      double value = Double.parseDouble(text);
      if (value > 0 && value <= LONGEST_MILLIS) {
        return value;
      }
    } catch (NumberFormatException e) {
      throw wrong(where, column, text, MILLIS);
    }
    throw wrong(where, column, text, MILLIS);
  }

  private static IllegalArgumentException wrong(
      String where, String column, String text, String expected) {
    return new IllegalArgumentException(
        where + column + ": found '" + text + "', expected " + expected);
  }
}

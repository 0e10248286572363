package io.orrery.scenarios.calibration;

import io.orrery.scenarios.measured.CsvTable;
import io.orrery.scenarios.text.Position;
import io.orrery.scenarios.text.ScenarioException;
import io.orrery.scenarios.text.YamlNode;
import io.orrery.scenarios.text.YamlReader;
import io.orrery.traces.Trace;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A file of measured requests, a JSON object a line or CSV with a header: {@code request_id},
 * {@code input_toks}, {@code output_toks}, {@code arrival_time}, {@code queued_ts}, {@code
 * scheduled_ts}, {@code first_token_ts}, {@code last_token_ts}. Times are seconds. {@code
 * arrival_time} may be of another clock than the rest, or missing; {@code scheduled_ts} may be
 * missing.
 */
public final class RequestFile {
  /** A column that only such a file has. */
  static final String MARK = "first_token_ts";

  private static final List<String> COLUMNS =
      List.of("input_toks", "output_toks", "queued_ts", MARK, "last_token_ts");

  private static final String TOKENS = "a whole number of tokens, at least 1";
  private static final double MILLIS = 1e3;
  private static final double SHORTEST_TPOT_MILLIS = 0.02;
  private static final double LONGEST_TPOT_MILLIS = 60_000;

  private final String name;
  private final List<Row> rows = new ArrayList<>();
  private boolean hasArrivals = true;

  private record Row(
      int line,
      String id,
      int input,
      int output,
      double arrival,
      double queued,
      double first,
      double last) {}

  private RequestFile(String name) {
    this.name = name;
  }

  /**
   * Reads a file.
   *
   * @throws ScenarioException if a column is missing, or a value makes no sense
   */
  public static RequestFile read(Path path) throws IOException {
    RequestFile file = new RequestFile(path.toString());
    try (BufferedReader reader = Files.newBufferedReader(path, StandardCharsets.UTF_8)) {
      if (startsAsJson(reader)) {
        file.addObjects(reader);
      } else {
        CsvTable table = CsvTable.read(file.name, reader, COLUMNS, null);
        table.rows().forEach(row -> file.add(row.line(), row.fields()));
      }
    }
    if (file.rows.isEmpty()) {
      throw new ScenarioException(Position.of(file.name), "", "no requests", "a request a line");
    }
    file.requireSense();
    return file;
  }

  /** Looks at the first character without taking it. */
  private static boolean startsAsJson(BufferedReader reader) throws IOException {
    reader.mark(1);
    int first = reader.read();
    reader.reset();
    return first == '{';
  }

  private void addObjects(BufferedReader reader) throws IOException {
    int line = 0;
    for (String text = reader.readLine(); text != null; text = reader.readLine()) {
      line++;
      if (!text.isBlank()) {
        add(line, object(line, text));
      }
    }
  }

  private Map<String, String> object(int line, String text) {
    YamlNode node = YamlReader.parseValue(text, new Position(name, line, 0));
    Map<String, String> fields = new LinkedHashMap<>();
    if (node instanceof YamlNode.Mapping mapping) {
      for (YamlNode.Entry entry : mapping.entries()) {
        if (entry.value() instanceof YamlNode.Scalar scalar && !scalar.isNull()) {
          fields.put(entry.key().text(), scalar.text());
        }
      }
      return fields;
    }
    throw wrong(line, "", node.found(), "a JSON object");
  }

  private void add(int line, Map<String, String> fields) {
    double arrival = Double.NaN;
    if (fields.containsKey("arrival_time")) {
      arrival = number(line, fields, "arrival_time");
    } else {
      hasArrivals = false;
    }
    Row row =
        new Row(
            line,
            fields.getOrDefault("request_id", ""),
            tokens(line, fields, "input_toks"),
            tokens(line, fields, "output_toks"),
            arrival,
            number(line, fields, "queued_ts"),
            number(line, fields, MARK),
            number(line, fields, "last_token_ts"));
    double scheduled =
        fields.containsKey("scheduled_ts") ? number(line, fields, "scheduled_ts") : row.queued();
    requireOrder(line, "scheduled_ts", row.queued(), scheduled, "queued_ts");
    requireOrder(line, MARK, scheduled, row.first(), "scheduled_ts");
    requireOrder(line, "last_token_ts", row.first(), row.last(), MARK);
    rows.add(row);
  }

  private void requireOrder(int line, String column, double before, double time, String what) {
    if (time < before) {
      throw wrong(line, column, Double.toString(time), "a time not before " + what + ", " + before);
    }
  }

  private int tokens(int line, Map<String, String> fields, String column) {
    String text = fields.get(column);
    if (text == null) {
      throw wrong(line, column, "nothing", TOKENS);
    }
    try {
      int value = Integer.parseInt(text);
      if (value >= 1) {
        return value;
      }
    } catch (NumberFormatException e) {
      throw wrong(line, column, YamlNode.found(text), TOKENS);
    }
    throw wrong(line, column, YamlNode.found(text), TOKENS);
  }

  private double number(int line, Map<String, String> fields, String column) {
    String text = fields.get(column);
    if (text == null) {
      throw wrong(line, column, "nothing", "a number");
    }
    try {
      double value = Double.parseDouble(text);
      if (Double.isFinite(value) && value >= 0) {
        return value;
      }
    } catch (NumberFormatException e) {
      throw wrong(line, column, YamlNode.found(text), "a number");
    }
    throw wrong(line, column, YamlNode.found(text), "a number of at least 0");
  }

  /** Seconds were meant: nobody's tokens come faster or slower than that. */
  private void requireSense() {
    double[] tpots =
        rows.stream()
            .filter(row -> row.output() > 1)
            .mapToDouble(row -> MILLIS * (row.last() - row.first()) / (row.output() - 1))
            .sorted()
            .toArray();
    if (tpots.length > 0) {
      double median = tpots[tpots.length / 2];
      if (!(median >= SHORTEST_TPOT_MILLIS && median <= LONGEST_TPOT_MILLIS)) {
        throw wrong(
            rows.get(0).line(),
            "last_token_ts",
            "times of which a token takes " + median + " ms in the median",
            "times in seconds");
      }
    }
  }

  private ScenarioException wrong(int line, String column, String found, String expected) {
    return new ScenarioException(new Position(name, line, 0), column, found, expected);
  }

  /** How many requests were measured. */
  public int size() {
    return rows.size();
  }

  /**
   * The times in the order of a trace: found by request id where all ids are the trace's, else by
   * order; lengths must be the trace's.
   *
   * @throws ScenarioException if the requests are not those of the trace
   */
  public RequestTimes times(Trace trace) {
    Map<String, Integer> ids = new LinkedHashMap<>();
    for (int r = 0; r < trace.requestCount(); r++) {
      ids.put(trace.requestId(r), r);
    }
    boolean byId = rows.stream().allMatch(row -> ids.containsKey(row.id()));
    if (!byId && rows.size() != trace.requestCount()) {
      throw new ScenarioException(
          Position.of(name),
          "",
          rows.size() + " requests",
          trace.requestCount() + ", as in the trace, or request ids of the trace");
    }
    double[] ttft = new double[trace.requestCount()];
    double[] total = new double[trace.requestCount()];
    Arrays.fill(ttft, Double.NaN);
    Arrays.fill(total, Double.NaN);
    double clocks = clocks();
    for (int i = 0; i < rows.size(); i++) {
      Row row = rows.get(i);
      int r = byId ? ids.getOrDefault(row.id(), i) : i;
      requireSame(row, trace, r);
      double begin = hasArrivals ? row.arrival() + clocks : row.queued();
      ttft[r] = MILLIS * (row.first() - begin);
      total[r] = MILLIS * (row.last() - begin);
    }
    return new RequestTimes(ttft, total, !hasArrivals);
  }

  /**
   * What to add to arrivals to have them on the clock of the rest. Where they are of another clock,
   * the request that was queued soonest after its arrival tells.
   */
  private double clocks() {
    double least = Double.POSITIVE_INFINITY;
    boolean same = true;
    for (Row row : rows) {
      least = Math.min(least, row.queued() - row.arrival());
      same &= row.arrival() <= row.queued() && row.queued() - row.arrival() < SAME_CLOCK_SECONDS;
    }
    return same ? 0 : least;
  }

  private static final double SAME_CLOCK_SECONDS = 3600;

  private void requireSame(Row row, Trace trace, int r) {
    if (row.input() != trace.inputTokens(r) || row.output() != trace.outputTokens(r)) {
      throw wrong(
          row.line(),
          "input_toks, output_toks",
          row.input() + ", " + row.output(),
          trace.inputTokens(r) + ", " + trace.outputTokens(r) + ", as in the trace");
    }
  }
}

package io.orrery.traces.synthesis;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.orrery.traces.TraceException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.NavigableMap;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One client of a ServeGen profile: how its requests arrive, window by window, and how long they
 * are. It holds no requests: it is what requests can be drawn from.
 *
 * @param windows arrival processes in the order of their starts
 * @param lengths by the start of a window in s, then by what is measured ({@code input_tokens},
 *     {@code output_tokens}, ...), the probability of each value
 * @see <a href="https://github.com/alibaba/ServeGen">ServeGen</a>
 */
public record ServeGenClient(
    List<Window> windows,
    NavigableMap<Long, SortedMap<String, SortedMap<Integer, Double>>> lengths) {
  private static final int FIELDS = 6;
  private static final int LARGEST = 1_000_000_000;

  /**
   * An arrival process.
   *
   * @param startSeconds when it begins, s
   * @param rate requests per s
   * @param variation coefficient of variation of the times between arrivals
   * @param pattern {@code Gamma}, {@code Weibull}, or empty for a Poisson process
   * @param first the distribution's first parameter, NaN where there is none
   * @param second its second parameter, NaN where there is none
   */
  public record Window(
      double startSeconds,
      double rate,
      double variation,
      String pattern,
      double first,
      double second) {}

  public ServeGenClient {
    windows = List.copyOf(windows);
  }

  /**
   * Reads a client's two files.
   *
   * @param windows {@code trace.csv}: no header; start, rate, variation, pattern and two parameters
   * @param lengths {@code dataset.json}: by window and measure, a Python dict of values as text
   * @throws TraceException on anything else
   */
  public static ServeGenClient read(Path windows, Path lengths) {
    try {
      return new ServeGenClient(readWindows(windows), readLengths(lengths));
    } catch (IOException e) {
      throw new TraceException(
          windows + ", " + lengths,
          0,
          null,
          "an unreadable file (" + e.getMessage() + ")",
          "a ServeGen profile");
    }
  }

  private static List<Window> readWindows(Path file) throws IOException {
    List<Window> windows = new ArrayList<>();
    int number = 0;
    for (String line : Files.readAllLines(file)) {
      number++;
      if (!line.isBlank()) {
        windows.add(window(file, number, line));
      }
    }
    if (windows.isEmpty()) {
      throw new TraceException(file.toString(), 0, null, "no window", "at least one");
    }
    for (int i = 1; i < windows.size(); i++) {
      if (windows.get(i).startSeconds() <= windows.get(i - 1).startSeconds()) {
        throw wrong(
            file,
            i + 1,
            "start",
            String.valueOf(windows.get(i).startSeconds()),
            "a start after the one before");
      }
    }
    return windows;
  }

  private static Window window(Path file, int line, String text) {
    String[] fields = text.strip().split(",", -1);
    if (fields.length != FIELDS) {
      throw wrong(file, line, "row", fields.length + " fields", FIELDS + " fields, no header");
    }
    String pattern = fields[3].strip();
    boolean poisson = pattern.isEmpty() || number(file, line, "rate", fields[1], false) == 0;
    if (!pattern.isEmpty() && !pattern.equals("Gamma") && !pattern.equals("Weibull")) {
      throw wrong(file, line, "pattern", '"' + pattern + '"', "Gamma, Weibull or nothing");
    }
    return new Window(
        number(file, line, "start", fields[0], false),
        number(file, line, "rate", fields[1], false),
        number(file, line, "cv", fields[2], true),
        pattern,
        parameter(file, line, "first parameter", fields[4], poisson),
        parameter(file, line, "second parameter", fields[5], poisson));
  }

  private static double parameter(
      Path file, int line, String field, String text, boolean mayBeMissing) {
    double value = number(file, line, field, text, mayBeMissing);
    if (value == 0 && !mayBeMissing) {
      throw wrong(file, line, field, '"' + text + '"', "a number above 0");
    }
    return value;
  }

  private static double number(
      Path file, int line, String field, String text, boolean mayBeMissing) {
    if (text.isBlank() && mayBeMissing) {
      return Double.NaN;
    }
    try {
      double value = Double.parseDouble(text.strip());
      if (value >= 0 && value <= Double.MAX_VALUE) {
        return value;
      }
    } catch (NumberFormatException e) {
      // No number, as below.
    }
    throw wrong(file, line, field, '"' + text + '"', "a number of at least 0");
  }

  private static NavigableMap<Long, SortedMap<String, SortedMap<Integer, Double>>> readLengths(
      Path file) throws IOException {
    NavigableMap<Long, SortedMap<String, SortedMap<Integer, Double>>> lengths = new TreeMap<>();
    try (JsonParser json = new JsonFactory().createParser(file.toFile())) {
      expect(file, json, json.nextToken(), JsonToken.START_OBJECT);
      for (String window; (window = json.nextFieldName()) != null; ) {
        expect(file, json, json.nextToken(), JsonToken.START_OBJECT);
        SortedMap<String, SortedMap<Integer, Double>> measures = new TreeMap<>();
        for (String measure; (measure = json.nextFieldName()) != null; ) {
          int line = json.currentLocation().getLineNr();
          expect(file, json, json.nextToken(), JsonToken.VALUE_STRING);
          measures.put(measure, dict(file, line, measure, json.getText()));
        }
        lengths.put((long) number(file, 1, "window", window, false), measures);
      }
    } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
      int line = e.getLocation() == null ? 0 : e.getLocation().getLineNr();
      throw wrong(file, line, "dataset", "text that is not JSON", "windows of distributions");
    }
    if (lengths.isEmpty()) {
      throw wrong(file, 0, "dataset", "no window", "at least one");
    }
    return lengths;
  }

  private static void expect(
      Path file, JsonParser json, @Nullable JsonToken found, JsonToken expected) {
    if (found != expected) {
      throw wrong(
          file,
          json.currentLocation().getLineNr(),
          "dataset",
          String.valueOf(found).toLowerCase(Locale.ROOT),
          "windows, each with texts of distributions");
    }
  }

  /** A Python dict of whole numbers to probabilities, {@code {143: 0.0001, 150: 0.02}}. */
  private static SortedMap<Integer, Double> dict(Path file, int line, String field, String text) {
    String inner = text.strip();
    SortedMap<Integer, Double> values = new TreeMap<>();
    if (!inner.startsWith("{") || !inner.endsWith("}")) {
      throw wrong(file, line, field, '"' + text + '"', "a dict, {143: 0.0001, ...}");
    }
    for (String pair : inner.substring(1, inner.length() - 1).split(",", -1)) {
      int colon = pair.indexOf(':');
      double key = colon < 0 ? -1 : number(file, line, field, pair.substring(0, colon), false);
      if (key != Math.rint(key) || key < 0 || key > LARGEST) {
        throw wrong(file, line, field, '"' + pair + '"', "a whole number and its probability");
      }
      values.put((int) key, number(file, line, field, pair.substring(colon + 1), false));
    }
    return values;
  }

  private static TraceException wrong(
      Path file, int line, String field, String value, String expected) {
    return new TraceException(file.toString(), line, field, value, expected);
  }
}

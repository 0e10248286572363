package io.orrery.traces;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The YAML file that stands beside a BLIS trace's table: a few lines of {@code key: value}. */
final class BlisHeader {
  private static final String FIRST_KEY = "trace_version:";
  private static final int LONGEST = 1 << 16;

  private BlisHeader() {}

  /**
   * Takes header files out of the list.
   *
   * @return what they say, empty where there is none
   * @throws TraceException where one says something that is not known here
   */
  static Map<String, String> take(List<TraceFile> files) {
    Map<String, String> header = new TreeMap<>();
    List<TraceFile> headers = new ArrayList<>();
    for (Iterator<TraceFile> each = files.iterator(); each.hasNext(); ) {
      TraceFile file = each.next();
      if (!file.isParquet() && text(file).startsWith(FIRST_KEY)) {
        each.remove();
        headers.add(file);
        read(file, header);
      }
    }
    if (!headers.isEmpty() && files.isEmpty()) {
      throw new TraceException(
          headers.get(0).name(), 0, "trace files", "a BLIS header alone", "the table beside it");
    }
    return header;
  }

  /** Whether a file is a header by its name and content. */
  static boolean isOne(Path path) {
    String name = path.toString().toLowerCase(Locale.ROOT);
    return (name.endsWith(".yaml") || name.endsWith(".yml"))
        && text(new TraceFile(path)).startsWith(FIRST_KEY);
  }

  private static void read(TraceFile file, Map<String, String> header) {
    int line = 0;
    for (String text : text(file).lines().toList()) {
      line++;
      int colon = text.indexOf(':');
      if (colon > 0 && !text.startsWith(" ") && !text.startsWith("#")) {
        String key = text.substring(0, colon).strip();
        String value = text.substring(colon + 1).strip().replaceAll("^[\"']|[\"']$", "");
        check(file, line, key, value);
        header.put(key, value);
      }
    }
  }

  private static void check(TraceFile file, int line, String key, String value) {
    if (key.equals("time_unit") && !value.equals("microseconds")) {
      throw new TraceException(file.name(), line, key, value, "microseconds");
    }
    if (key.equals("session_context_growth") && !value.isEmpty() && !value.equals("accumulate")) {
      throw new TraceException(file.name(), line, key, value, "accumulate, or nothing");
    }
  }

  private static String text(TraceFile file) {
    try (InputStream in = file.open()) {
      return new String(in.readNBytes(LONGEST), UTF_8);
    } catch (IOException e) {
      throw TraceSources.unreadable(file.name(), e);
    }
  }
}

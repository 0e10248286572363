package io.orrery.reports.sweep;

import io.orrery.reports.JsonText;
import io.orrery.scenarios.sweep.Factor;
import io.orrery.scenarios.sweep.SweepPoint;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A sweep's results for machines, written point by point. No wall-clock figure is in it, and
 * nothing says whether it was run at once or in pieces: the same inputs give the same bytes.
 */
public final class SweepDocument {
  /** The version of the document's structure; it grows when a key changes its meaning or goes. */
  public static final int SCHEMA_VERSION = 1;

  private final Writer out;
  private String separator = "\n";

  private SweepDocument(Writer out) {
    this.out = out;
  }

  /** Writes the document as JSON, ended by a new line. */
  public static void write(SweepResults results, Writer out) throws IOException {
    new SweepDocument(out).write(results);
  }

  private void write(SweepResults results) throws IOException {
    Map<String, Object> head = new LinkedHashMap<>();
    head.put("schemaVersion", SCHEMA_VERSION);
    head.put("kind", "orrery-sweep");
    head.put("version", results.version());
    head.put("name", results.sweep().name());
    List<Object> factors = new ArrayList<>();
    for (Factor factor : results.sweep().factors()) {
      Map<String, Object> entry = new LinkedHashMap<>();
      entry.put("path", factor.path());
      entry.put("name", factor.name());
      entry.put("values", factor.values());
      factors.add(entry);
    }
    head.put("factors", factors);
    List<Object> assumptions = new ArrayList<>();
    results
        .assumptions()
        .forEach(
            (text, points) -> {
              Map<String, Object> entry = new LinkedHashMap<>();
              entry.put("text", text);
              entry.put("points", points);
              assumptions.add(entry);
            });
    head.put("assumptions", assumptions);
    String text = JsonText.of(head);
    out.write(text.substring(0, text.lastIndexOf("\n}")));
    out.write(",\n  \"points\": [");
    results.forEach(
        new SweepResults.Visitor() {
          @Override
          public void finished(SweepPoint point, PointResult result) throws IOException {
            Map<String, Object> entry = entry(point);
            entry.put("digest", result.digest());
            entry.put("trace", result.trace());
            entry.put("gpus", result.gpus());
            entry.put("summary", result.summary().tree());
            write(entry);
          }

          @Override
          public void failed(SweepPoint point, String reason) throws IOException {
            Map<String, Object> entry = entry(point);
            entry.put("failure", reason);
            write(entry);
          }
        });
    out.write(separator.equals("\n") ? "]\n}\n" : "\n  ]\n}\n");
  }

  private static Map<String, Object> entry(SweepPoint point) {
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put("index", point.index());
    entry.put("name", point.name());
    entry.put("variant", point.variant());
    entry.put("set", point.set());
    return entry;
  }

  private void write(Map<String, Object> entry) throws IOException {
    out.write(separator);
    separator = ",\n";
    out.write("    " + JsonText.of(entry).strip().replace("\n", "\n    "));
  }
}

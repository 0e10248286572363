package io.orrery.reports.export;

import io.orrery.reports.compare.RunSet;
import io.orrery.reports.summary.Summary;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;

/** The files of an export: those of a variant in a folder of its name. */
public final class Exports {
  /** The file of all runs for Prometheus. */
  public static final String PROMETHEUS = "orrery.prom";

  private Exports() {}

  /**
   * The files by name.
   *
   * @param runs the summaries
   * @param requests the table {@code requests.parquet}; read only if a format needs it
   */
  public static Map<String, String> of(RunSet runs, Path requests, Set<ExportFormat> formats) {
    Map<String, String> files = new LinkedHashMap<>();
    if (formats.contains(ExportFormat.PROMETHEUS)) {
      files.put(PROMETHEUS, PrometheusText.of(runs));
    }
    if (formats.stream().anyMatch(format -> format != ExportFormat.PROMETHEUS)) {
      RunRequests.read(requests).forEach((name, rows) -> add(name, rows, runs, formats, files));
    }
    return files;
  }

  private static void add(
      String name,
      RunRequests rows,
      RunSet runs,
      Set<ExportFormat> formats,
      Map<String, String> files) {
    RunSet.Variant variant = runs.variants().get(name);
    Summary summary = variant == null ? null : variant.bySeed().firstEntry().getValue();
    OptionalDouble goodput = summary == null ? OptionalDouble.empty() : summary.get("goodput_rps");
    AiperfProfile profile = new AiperfProfile(rows, goodput);
    if (formats.contains(ExportFormat.AIPERF_JSON)) {
      Map<String, Object> facts = new LinkedHashMap<>();
      facts.put("simulator", "orrery");
      facts.put("variant", name);
      facts.put("config_digest", variant == null ? "" : variant.digest());
      facts.put("trace_digest", variant == null ? "" : variant.trace());
      files.put(name + "/profile_export_aiperf.json", profile.json(facts));
    }
    if (formats.contains(ExportFormat.AIPERF_CSV)) {
      files.put(name + "/profile_export_aiperf.csv", profile.csv());
    }
    if (formats.contains(ExportFormat.HGRM)) {
      files.put(name + "/ttft_ms.hgrm", HdrPercentiles.of(rows.ttft(), nanos -> nanos));
      files.put(name + "/e2e_ms.hgrm", HdrPercentiles.of(rows.latency(), nanos -> nanos));
      files.put(
          name + "/tpot_ms.hgrm",
          HdrPercentiles.of(rows.perToken(), bits -> Math.round(Double.longBitsToDouble(bits))));
    }
  }
}

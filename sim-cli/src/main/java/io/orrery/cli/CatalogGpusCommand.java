package io.orrery.cli;

import io.orrery.models.Catalog;
import io.orrery.models.Gpu;
import io.orrery.reports.JsonText;
import io.orrery.reports.console.TextTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The GPUs, or all that is known of one. */
@Command(
    name = "gpus",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = "Show the GPUs, or every fact about one and its source.",
    footer = {"", "Example:", "  orrery catalog gpus h20"})
final class CatalogGpusCommand implements Callable<Integer> {
  private static final int SCHEMA_VERSION = 1;

  @Parameters(arity = "0..1", paramLabel = "NAME", description = "A GPU, as h20.")
  private @Nullable String name;

  @Option(names = "--json", description = "Print one JSON document with every fact and its source.")
  private boolean json;

  private final Console console;
  private final Catalog catalog = Catalog.bundled();

  CatalogGpusCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    List<Gpu> gpus = name == null ? all() : List.of(one(name));
    if (json) {
      console.out().print(document(gpus));
    } else if (name == null) {
      console.out().print(table(gpus));
    } else {
      Gpu gpu = gpus.get(0);
      console
          .out()
          .print(gpu.name() + ": " + gpu.title() + "\n" + FactTable.text(gpu.provenance()));
    }
    console.out().flush();
    return 0;
  }

  private List<Gpu> all() {
    return catalog.gpuNames().stream().map(catalog::gpu).toList();
  }

  private Gpu one(String wanted) {
    try {
      return catalog.gpu(wanted);
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
  }

  private static String table(List<Gpu> gpus) {
    TextTable table =
        new TextTable(
            "name", "GiB", "TB/s", "16 bit", "8 bit", "4 bit", "link", "watts", "$/h", "<product");
    boolean assumed = false;
    for (Gpu gpu : gpus) {
      boolean low = !gpu.lowConfidenceNotes().isEmpty();
      assumed |= low;
      table.add(
          gpu.name() + (low ? " *" : ""),
          String.format(Locale.ROOT, "%.1f", gpu.memoryBytes() / (double) (1L << 30)),
          String.format(Locale.ROOT, "%.2f", gpu.hbmBytesPerSecond() / 1e12),
          teraflops(gpu.bf16FlopsPerSecond()),
          teraflops(gpu.fp8FlopsPerSecond()),
          teraflops(gpu.fp4FlopsPerSecond()),
          String.format(Locale.ROOT, "%.0f", gpu.nvlinkBytesPerSecond() / 1e9),
          optional(gpu.cost().tdpWatts(), "%.0f"),
          optional(gpu.cost().rentalDollarsPerHour(), "%.2f"),
          gpu.title().replace("NVIDIA ", ""));
    }
    return table
        + "\n16, 8 and 4 bit: dense matrix peaks in TFLOP/s. link: to GPUs of one domain, GB/s one way.\n"
        + "watts: TDP. $/h: rented for three years.\n"
        + (assumed ? "* some of it is assumed or never measured: orrery catalog gpus NAME\n" : "");
  }

  private static String teraflops(double flops) {
    return flops == 0 ? "-" : String.format(Locale.ROOT, "%.0f", flops / 1e12);
  }

  private static String optional(OptionalDouble value, String format) {
    return value.isPresent() ? String.format(Locale.ROOT, format, value.getAsDouble()) : "-";
  }

  private static String document(List<Gpu> gpus) {
    Map<String, Object> root = new LinkedHashMap<>();
    root.put("schemaVersion", SCHEMA_VERSION);
    List<Object> list = new ArrayList<>();
    for (Gpu gpu : gpus) {
      Map<String, Object> object = new LinkedHashMap<>();
      object.put("name", gpu.name());
      object.put("title", gpu.title());
      object.put("lowConfidence", gpu.lowConfidenceNotes());
      object.put("facts", FactTable.json(gpu.provenance()));
      list.add(object);
    }
    root.put("gpus", list);
    return JsonText.of(root);
  }
}

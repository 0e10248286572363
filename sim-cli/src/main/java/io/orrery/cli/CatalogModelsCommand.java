package io.orrery.cli;

import io.orrery.models.Catalog;
import io.orrery.models.LatentAttention;
import io.orrery.models.ModelArchitecture;
import io.orrery.reports.JsonText;
import io.orrery.reports.console.TextTable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The models, or all that is known of one. */
@Command(
    name = "models",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = "Show the models, or every fact about one and its source.",
    footer = {"", "Example:", "  orrery catalog models minimax-m2"})
final class CatalogModelsCommand implements Callable<Integer> {
  private static final int SCHEMA_VERSION = 1;

  @Parameters(
      arity = "0..1",
      paramLabel = "NAME",
      description = "A model, as minimax-m2, or the path of a Hugging Face config.json.")
  private @Nullable String name;

  @Option(names = "--json", description = "Print one JSON document with every fact and its source.")
  private boolean json;

  private final Console console;
  private final Catalog catalog = Catalog.bundled();

  CatalogModelsCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    List<ModelArchitecture> models = name == null ? all() : List.of(one(catalog, name));
    if (json) {
      console.out().print(document(models));
    } else if (name == null) {
      console.out().print(table(models));
    } else {
      console.out().print(sheet(models.get(0)));
    }
    console.out().flush();
    return 0;
  }

  private List<ModelArchitecture> all() {
    return catalog.modelNames().stream().map(catalog::model).toList();
  }

  /** The model of a name or path on the command line. */
  static ModelArchitecture one(Catalog catalog, String wanted) {
    try {
      return catalog.model(wanted, Path.of(""));
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
  }

  private static String table(List<ModelArchitecture> models) {
    TextTable table =
        new TextTable(
            "name",
            "total B",
            "active B",
            "layers",
            "KV/token",
            "context",
            "<native",
            "<attention");
    boolean assumed = false;
    for (ModelArchitecture model : models) {
      boolean low = !model.lowConfidenceNotes().isEmpty();
      assumed |= low;
      table.add(
          model.name() + (low ? " *" : ""),
          billions(model.parameters().total()),
          billions(model.parameters().active()),
          Integer.toString(model.layers()),
          String.format(Locale.ROOT, "%,d", 2 * model.kvElementsPerToken()),
          String.format(Locale.ROOT, "%,d", model.maxPositions()),
          model.nativeWeights().label(),
          attention(model));
    }
    StringBuilder out = new StringBuilder(table.toString());
    out.append(
        "\ntotal, active: billion parameters, all and those that a token meets. KV: bytes, 16-bit.\n");
    for (ModelArchitecture model : models) {
      if (!model.aliases().isEmpty()) {
        out.append(String.join(", ", model.aliases())).append(": ").append(model).append('\n');
      }
    }
    out.append("Any Hugging Face config.json is named by its path, as ./config.json.\n");
    return out + (assumed ? "* some of it is assumed: orrery catalog models NAME\n" : "");
  }

  private static String billions(long parameters) {
    return String.format(Locale.ROOT, "%.2f", parameters / 1e9);
  }

  /** What its layers do, as {@code 8 full, 40 states}. */
  static String attention(ModelArchitecture model) {
    List<String> parts = new ArrayList<>();
    LatentAttention latent = model.latent();
    if (model.fullLayers() > 0) {
      parts.add(model.fullLayers() + (latent == null ? " full" : " latent"));
    }
    if (model.slidingLayers() > 0) {
      parts.add(model.slidingLayers() + " window");
    }
    if (model.stateLayers() > 0) {
      parts.add(model.stateLayers() + " state");
    }
    return String.join(", ", parts);
  }

  private static String sheet(ModelArchitecture model) {
    StringBuilder out = new StringBuilder();
    out.append(model.name()).append(": ").append(model.publishedAs()).append('\n');
    derived(model)
        .forEach(
            (field, value) ->
                out.append("  ")
                    .append(field)
                    .append("  ")
                    .append(value)
                    .append("   computed from the shape\n"));
    return out + FactTable.text(model.provenance());
  }

  private static Map<String, Object> derived(ModelArchitecture model) {
    Map<String, Object> derived = new LinkedHashMap<>();
    derived.put("totalParameters", model.parameters().total());
    derived.put("activeParameters", model.parameters().active());
    derived.put("kvElementsPerToken", model.kvElementsPerToken());
    derived.put("stateBytesPerSequence", model.stateBytesPerSequence());
    return derived;
  }

  private static String document(List<ModelArchitecture> models) {
    Map<String, Object> root = new LinkedHashMap<>();
    root.put("schemaVersion", SCHEMA_VERSION);
    List<Object> list = new ArrayList<>();
    for (ModelArchitecture model : models) {
      Map<String, Object> object = new LinkedHashMap<>();
      object.put("name", model.name());
      object.put("aliases", model.aliases());
      object.put("publishedAs", model.publishedAs());
      object.put("lowConfidence", model.lowConfidenceNotes());
      object.put("derived", derived(model));
      object.put("facts", FactTable.json(model.provenance()));
      list.add(object);
    }
    root.put("models", list);
    return JsonText.of(root);
  }
}

package io.orrery.models;

import io.orrery.models.config.HuggingFaceConfig;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * What this module knows by name: GPUs, models, the memory that engines reserve, and polynomial
 * step times. Facts live in the JSON files beside this class's resources, each value with its
 * source; to add a GPU or a model, add an entry there.
 */
public final class Catalog {
  private final Map<String, Gpu> gpus;
  private final Map<String, ModelArchitecture> models;
  private final Map<String, PolynomialCoefficients> polynomials;
  private final MemoryRules memoryRules;
  private final Map<String, HostCosts> hostCosts;
  private final Map<String, KernelEfficiency> efficiencies;

  private Catalog(
      Map<String, Gpu> gpus,
      Map<String, ModelArchitecture> models,
      Map<String, PolynomialCoefficients> polynomials,
      MemoryRules memoryRules,
      Map<String, HostCosts> hostCosts,
      Map<String, KernelEfficiency> efficiencies) {
    this.gpus = gpus;
    this.models = models;
    this.polynomials = polynomials;
    this.memoryRules = memoryRules;
    this.hostCosts = hostCosts;
    this.efficiencies = efficiencies;
  }

  /** The catalogue that ships with this module; read once. */
  public static Catalog bundled() {
    return Bundled.CATALOG;
  }

  /** The GPU of this name. */
  public Gpu gpu(String name) {
    return named("gpu", name, gpus);
  }

  /** The model of this name or alias, or published under it. */
  public ModelArchitecture model(String name) {
    for (ModelArchitecture model : models.values()) {
      if (model.aliases().contains(name) || model.publishedAs().equals(name)) {
        return model;
      }
    }
    ModelArchitecture model = models.get(name);
    if (model == null) {
      throw new IllegalArgumentException(Names.unknown("model", name, modelNamesAndAliases()));
    }
    return model;
  }

  /**
   * The model of this name, or the one that a Hugging Face {@code config.json} describes: what ends
   * in {@code .json} or starts with a dot or a slash is taken for its path.
   *
   * @param reference name or path
   * @param folder what a relative path is relative to
   * @throws IllegalArgumentException if there is no such model, or the file cannot be used
   */
  public ModelArchitecture model(String reference, Path folder) {
    return isPath(reference) ? HuggingFaceConfig.read(folder.resolve(reference)) : model(reference);
  }

  /** The file that a reference that {@link #isPath} names. */
  public static Path modelFile(String reference, Path folder) {
    return HuggingFaceConfig.file(folder.resolve(reference));
  }

  /** Whether a reference to a model is taken for the path of a {@code config.json}. */
  public static boolean isPath(String reference) {
    return reference.endsWith(".json") || reference.startsWith(".") || reference.startsWith("/");
  }

  /** The polynomial step time preset of this name. */
  public PolynomialCoefficients polynomial(String name) {
    return named("polynomial preset", name, polynomials);
  }

  /** What an engine adds to its kernels; {@code none} for nothing. */
  public HostCosts hostCosts(String name) {
    return named("host costs", name, hostCosts);
  }

  /** Shares of its peaks that a GPU without measured kernels is thought to reach. */
  public KernelEfficiency kernelEfficiency(Gpu gpu) {
    String name = gpu.name().startsWith("h20-") ? "h20" : gpu.name();
    return named(
        "kernel efficiency", efficiencies.containsKey(name) ? name : "other", efficiencies);
  }

  /** What engines keep of a GPU's memory. */
  public MemoryRules memoryRules() {
    return memoryRules;
  }

  /** Names of the GPUs, in catalogue order. */
  public Set<String> gpuNames() {
    return gpus.keySet();
  }

  /** Names of the models, in catalogue order. */
  public Set<String> modelNames() {
    return models.keySet();
  }

  /** Names and aliases of the models, in catalogue order, each alias after its model. */
  public List<String> modelNamesAndAliases() {
    List<String> names = new ArrayList<>();
    models.forEach(
        (name, model) -> {
          names.add(name);
          names.addAll(model.aliases());
        });
    return names;
  }

  /** Names of the polynomial presets, in catalogue order. */
  public Set<String> polynomialNames() {
    return polynomials.keySet();
  }

  private static <T> T named(String kind, String name, Map<String, T> entries) {
    T entry = entries.get(name);
    if (entry == null) {
      throw new IllegalArgumentException(Names.unknown(kind, name, entries.keySet()));
    }
    return entry;
  }

  /** Builds an entry per sheet, in file order. */
  static <T> Map<String, T> entries(
      Map<String, FactSheet> sheets, Function<FactSheet, T> constructor) {
    Map<String, T> entries = new LinkedHashMap<>();
    sheets.forEach((name, sheet) -> entries.put(name, constructor.apply(sheet)));
    return Collections.unmodifiableMap(entries);
  }

  private static Map<String, FactSheet> resource(String file) {
    try (InputStream in = Catalog.class.getResourceAsStream(file)) {
      if (in == null) {
        throw new CatalogException(file + ": not on the class path");
      }
      return FactFile.read(file, in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Read on first use. */
  private static final class Bundled {
    static final Catalog CATALOG =
        new Catalog(
            entries(resource("gpus.json"), Gpu::from),
            entries(resource("models.json"), ModelEntry::read),
            entries(resource("polynomial.json"), PolynomialCoefficients::from),
            MemoryRules.from(resource("memory.json")),
            entries(resource("host-costs.json"), HostCosts::from),
            entries(resource("efficiency.json"), KernelEfficiency::from));
  }
}

package io.orrery.scenarios.experiment;

import io.orrery.models.Catalog;
import io.orrery.models.Deployment;
import io.orrery.models.Gpu;
import io.orrery.models.StepTimeModel;
import io.orrery.models.StepTimeModels;
import io.orrery.models.StepTimeProfile;
import io.orrery.models.StepTimeSetup;
import io.orrery.models.kernels.PerformanceData;
import io.orrery.parquet.ParquetException;
import io.orrery.scenarios.EffectiveConfig;
import io.orrery.scenarios.Variant;
import io.orrery.scenarios.spec.ScenarioSpec;
import io.orrery.scenarios.spec.StepTimeSpec;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Compiles step-time models, each once, and reads each profile and folder of tables once. */
final class StepTimes {
  private static final String PERF_DATA = "perfData";
  private static final int KEPT = 16;

  private final Catalog catalog;
  private final @Nullable StepTimeProfile instead;
  private final Map<String, StepTimeModel> compiled = new RecentlyUsed<>(KEPT);
  private final Map<String, String> tables = new RecentlyUsed<>(KEPT);
  private final Map<Path, LoadedProfile> profiles = new RecentlyUsed<>(KEPT);

  /**
   * @param instead what replaces everybody's profile; null for nothing
   */
  StepTimes(Catalog catalog, @Nullable StepTimeProfile instead) {
    this.catalog = catalog;
    this.instead = instead;
  }

  /** The model of a variant's step times on one of its workers. */
  StepTimeModel of(Variant variant, String pool, Deployment deployment) {
    StepTimeSpec spec = variant.spec().stepTime();
    EffectiveConfig config = variant.config();
    int batchedTokens = variant.spec().engine().maxBatchedTokens();
    Map<String, String> parameters =
        parameters(
            spec, kernels(variant.spec()), variant.spec().engine().asyncScheduling(), config);
    LoadedProfile profile = profile(variant);
    if (profile != null) {
      profile.requireFit(config, kernels(variant.spec()), deployment);
    }
    String key =
        String.join(
            " ",
            spec.model(),
            Integer.toString(batchedTokens),
            parameters.toString(),
            profile == null ? "" : profile.sha256(),
            deployment.model().publishedAs(), // two files may give models of one name
            deployment.toString());
    StepTimeModel known = compiled.get(key);
    if (known != null) {
      return known;
    }
    StepTimeModel model =
        compile(
            spec,
            config,
            pool,
            deployment,
            () -> {
              return new StepTimeSetup(
                  deployment, catalog, batchedTokens, parameters, own(profile, deployment));
            });
    compiled.put(key, model);
    return model;
  }

  private @Nullable StepTimeProfile own(@Nullable LoadedProfile profile, Deployment worker) {
    StepTimeProfile own = profile == null ? null : profile.profile().stepTime(worker.gpu());
    if (instead == null) {
      return own;
    }
    return instead.kernels() != null || own == null
        ? instead
        : new StepTimeProfile(instead.host(), own.kernels());
  }

  /** The profile that a variant's step times rest on, null without one. */
  @Nullable LoadedProfile profile(Variant variant) {
    StepTimeSpec spec = variant.spec().stepTime();
    if (spec.profile().isEmpty() || !takesProfile(spec)) {
      return null;
    }
    return profiles.computeIfAbsent(spec.profile().get(), LoadedProfile::read);
  }

  /**
   * Digests of the measured tables that a variant's step times rest on, by GPU; empty where they
   * rest on none. Each is read once.
   */
  SortedMap<String, String> tables(Variant variant, List<Deployment> workers) {
    StepTimeSpec spec = variant.spec().stepTime();
    SortedMap<String, String> digests = new TreeMap<>();
    if (StepTimeModels.parameters(spec.model()).contains(PERF_DATA)) {
      Path folder = perfData(spec, variant.config());
      for (Deployment worker : workers) {
        Gpu gpu = worker.gpu();
        digests.put(
            gpu.name(),
            tables.computeIfAbsent(
                folder + " " + gpu.name(), key -> PerformanceData.open(folder, gpu).digest()));
      }
    }
    return digests;
  }

  private static boolean takesProfile(StepTimeSpec spec) {
    return StepTimeModels.parameters(spec.model()).contains("host");
  }

  /** Settings that were written and do nothing, a sentence each. */
  static List<String> ignored(StepTimeSpec spec) {
    boolean tables = StepTimeModels.parameters(spec.model()).contains(PERF_DATA);
    if (spec.perfData().isPresent() && !tables) {
      return List.of(noEffect("stepTime.perfData", spec));
    }
    return spec.profile().isPresent() && !takesProfile(spec)
        ? List.of(noEffect("stepTime.profile", spec))
        : List.of();
  }

  private static String noEffect(String key, StepTimeSpec spec) {
    return key + " has no effect, since step times are of model " + spec.model() + ".";
  }

  /** Makes the setup that a model is compiled from. */
  private interface Setup {
    StepTimeSetup make();
  }

  private static StepTimeModel compile(
      StepTimeSpec spec, EffectiveConfig config, String pool, Deployment deployment, Setup setup) {
    try {
      return StepTimeModels.compile(spec.model(), setup.make());
    } catch (IllegalArgumentException e) {
      throw config.refusal(
          spec.model().equals("table") ? "stepTime.perfData" : "stepTime.model",
          "what can time pool " + pool + " (" + deployment + "), but " + e.getMessage());
    } catch (ParquetException e) {
      throw config.refusal("stepTime.perfData", "tables that can be read, but " + e.getMessage());
    }
  }

  /** Whose kernels: as written, else those of the preset's engine, which stands before its date. */
  static String kernels(ScenarioSpec spec) {
    String written = spec.stepTime().kernels();
    String preset = spec.engine().preset();
    return written.equals("auto") ? preset.substring(0, preset.indexOf('-')) : written;
  }

  private static Map<String, String> parameters(
      StepTimeSpec spec, String kernels, boolean asynchronous, EffectiveConfig config) {
    List<String> taken = StepTimeModels.parameters(spec.model());
    Map<String, String> parameters = new LinkedHashMap<>();
    if (taken.contains("hostOverlap")) {
      parameters.put("hostOverlap", Boolean.toString(asynchronous));
    }
    if (taken.contains("kernels")) {
      parameters.put("kernels", kernels);
      parameters.put("host", kernels);
      parameters.put("experts", spec.experts());
    }
    if (taken.contains(PERF_DATA)) {
      parameters.put(PERF_DATA, perfData(spec, config).toString());
    }
    if (spec.speedup() != 1) {
      require(taken.contains("speedup"), "speedup", "1", spec, config);
      parameters.put("speedup", Double.toString(spec.speedup()));
    }
    if (spec.decodeSpeedup() != 1) {
      require(taken.contains("decodeSpeedup"), "decodeSpeedup", "1", spec, config);
      parameters.put("decodeSpeedup", Double.toString(spec.decodeSpeedup()));
    }
    if (spec.stepOverheadNanos() != 0) {
      require(taken.contains("hostMicrosPerStep"), "stepOverhead", "0 s", spec, config);
      parameters.put(
          "hostMicrosPerStep", BigDecimal.valueOf(spec.stepOverheadNanos(), 3).toPlainString());
    }
    return parameters;
  }

  private static Path perfData(StepTimeSpec spec, EffectiveConfig config) {
    if (spec.perfData().isEmpty()) {
      throw config.refusal(
          "stepTime.model",
          "table without stepTime.perfData",
          "the folder of the measured tables (stepTime.perfData, or --perf-data)");
    }
    Path folder = spec.perfData().get();
    if (!Files.isDirectory(folder)) {
      throw config.refusal(
          "stepTime.perfData",
          "a folder of measured tables" + (Files.exists(folder) ? "" : ", but there is none"));
    }
    return folder;
  }

  private static void require(
      boolean taken, String key, String neutral, StepTimeSpec spec, EffectiveConfig config) {
    if (!taken) {
      throw config.refusal(
          "stepTime." + key,
          neutral + ", since step times of model " + spec.model() + " have none");
    }
  }
}

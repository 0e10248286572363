package io.orrery.scenarios.profile;

import io.orrery.models.HostCosts;
import io.orrery.scenarios.text.Position;
import io.orrery.scenarios.text.Problems;
import io.orrery.scenarios.text.ScenarioException;
import io.orrery.scenarios.text.YamlReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads profiles in YAML or JSON, strictly: a key that is missing or unknown is an error. */
public final class ProfileReader {
  private static final double MOST_MICROS = 1e6;
  private static final double MOST_MULTIPLIER = 100;
  private static final double LEAST_MULTIPLIER = 0.01;

  private final Problems problems = new Problems();

  private ProfileReader() {}

  /**
   * Reads a file.
   *
   * @throws ScenarioException if it is no profile, or one that this version cannot read
   */
  public static Profile read(Path file) {
    ProfileReader reader = new ProfileReader();
    Fields root = new Fields(YamlReader.read(file, "a profile"), "", reader.problems);
    if (!root.has("orreryProfile")) {
      throw new ScenarioException(
          Position.of(file.toString()),
          "",
          "no orreryProfile",
          "a profile, as orrery calibrate writes it");
    }
    if (!root.text("orreryProfile").equals(Integer.toString(Profile.VERSION))) {
      root.refuse("orreryProfile", Profile.VERSION + ", the version that this program reads");
      reader.problems.throwIfAny();
    }
    Profile profile = reader.profile(root);
    root.end();
    reader.problems.throwIfAny();
    return profile;
  }

  private Profile profile(Fields root) {
    String engine = root.text("engine");
    String version = root.text("engineVersion");
    List<String> gpus = root.texts("gpus");
    List<String> models = root.texts("models");
    List<Profile.Source> sources = new ArrayList<>();
    for (Fields source : root.sections("sources")) {
      sources.add(
          new Profile.Source(
              source.text("name"), source.text("sha256"), (long) source.number("rows", 0, 1e12)));
      source.end();
    }
    Fields host = root.section("host");
    Map<String, Coefficient> coefficients = new LinkedHashMap<>();
    for (String name : HostCosts.NAMES) {
      coefficients.put(name, coefficient(name, host.section(name)));
    }
    host.end();
    return new Profile(
        engine,
        version,
        gpus,
        models,
        sources,
        coefficients,
        root.has("kernels") ? kernels(root.section("kernels")) : null);
  }

  private static Coefficient coefficient(String name, Fields fields) {
    double value =
        name.equals("kernelMultiplier")
            ? fields.number("value", LEAST_MULTIPLIER, MOST_MULTIPLIER)
            : fields.number("value", 0, MOST_MICROS);
    Coefficient coefficient;
    if (fields.flag("fitted")) {
      String method = fields.text("method");
      String day = fields.text("fittedOn");
      List<String> from = fields.texts("from");
      Map<String, double[]> ranges = new LinkedHashMap<>();
      Fields written = fields.section("ranges");
      for (String range : written.names()) {
        ranges.put(range, range(written, range));
      }
      written.end();
      Fields heldOut = fields.section("heldOut");
      coefficient =
          Coefficient.fitted(
              value, new Coefficient.Fit(method, day, from, ranges, heldOut(heldOut)));
      heldOut.end();
    } else {
      coefficient = Coefficient.kept(value, fields.text("why"));
    }
    fields.end();
    return coefficient;
  }

  private static double[] range(Fields fields, String name) {
    List<String> ends = fields.texts(name);
    try {
      if (ends.size() == 2) {
        return new double[] {Double.parseDouble(ends.get(0)), Double.parseDouble(ends.get(1))};
      }
    } catch (NumberFormatException e) {
      fields.refuse(name, "the smallest and the largest value, as [1, 64]");
      return new double[2];
    }
    fields.refuse(name, "the smallest and the largest value, as [1, 64]");
    return new double[2];
  }

  private static HeldOut heldOut(Fields fields) {
    return new HeldOut(
        fields.text("metric"),
        fields.number("mean", 0, 1e9),
        fields.number("median", 0, 1e9),
        fields.number("p90", 0, 1e9),
        (int) fields.number("points", 0, 1e9));
  }

  private static Profile.Kernels kernels(Fields fields) {
    Profile.Kernels kernels =
        new Profile.Kernels(
            fields.text("gpu"),
            fields.text("fittedOn"),
            fields.text("from"),
            fields.texts("lines"));
    fields.end();
    return kernels;
  }
}

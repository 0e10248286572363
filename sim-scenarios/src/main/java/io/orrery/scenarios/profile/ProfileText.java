package io.orrery.scenarios.profile;

import io.orrery.scenarios.text.CanonicalText;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes profiles: the same bytes for equal profiles. */
public final class ProfileText {
  private static final MathContext DIGITS = new MathContext(6, RoundingMode.HALF_EVEN);
  private static final String REMARK =
      """
      # A profile written by "orrery calibrate": host constants of an engine, and kernel laws if tables of them were given, fitted
      # to measurements. stepTime.profile takes it. Errors are shares, on points that the fit had not seen.
      """;

  private ProfileText() {}

  /** As YAML. */
  public static String yaml(Profile profile) {
    return REMARK + CanonicalText.yaml(tree(profile));
  }

  /** As JSON, on one line. */
  public static String json(Profile profile) {
    return CanonicalText.json(tree(profile)) + "\n";
  }

  private static Map<String, Object> tree(Profile profile) {
    Map<String, Object> root = new LinkedHashMap<>();
    root.put("orreryProfile", Profile.VERSION);
    root.put("engine", profile.engine());
    root.put("engineVersion", profile.engineVersion());
    root.put("gpus", profile.gpus());
    root.put("models", profile.models());
    List<Object> sources = new ArrayList<>();
    for (Profile.Source source : profile.sources()) {
      Map<String, Object> entry = new LinkedHashMap<>();
      entry.put("name", source.name());
      entry.put("sha256", source.sha256());
      entry.put("rows", source.rows());
      sources.add(entry);
    }
    root.put("sources", sources);
    Map<String, Object> host = new LinkedHashMap<>();
    profile.host().forEach((name, coefficient) -> host.put(name, tree(coefficient)));
    root.put("host", host);
    Profile.Kernels kernels = profile.kernels();
    if (kernels != null) {
      Map<String, Object> entry = new LinkedHashMap<>();
      entry.put("gpu", kernels.gpu());
      entry.put("fittedOn", kernels.fittedOn());
      entry.put("from", kernels.from());
      entry.put("lines", kernels.lines());
      root.put("kernels", entry);
    }
    return root;
  }

  private static Map<String, Object> tree(Coefficient coefficient) {
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put("value", rounded(coefficient.value()));
    Coefficient.Fit fit = coefficient.fit();
    entry.put("fitted", fit != null);
    if (fit == null) {
      entry.put("why", coefficient.why());
      return entry;
    }
    entry.put("method", fit.method());
    entry.put("fittedOn", fit.fittedOn());
    entry.put("from", fit.from());
    Map<String, Object> ranges = new LinkedHashMap<>();
    fit.ranges()
        .forEach((name, range) -> ranges.put(name, List.of(rounded(range[0]), rounded(range[1]))));
    entry.put("ranges", ranges);
    Map<String, Object> heldOut = new LinkedHashMap<>();
    heldOut.put("metric", fit.heldOut().metric());
    heldOut.put("mean", rounded(fit.heldOut().mean()));
    heldOut.put("median", rounded(fit.heldOut().median()));
    heldOut.put("p90", rounded(fit.heldOut().p90()));
    heldOut.put("points", fit.heldOut().points());
    entry.put("heldOut", heldOut);
    return entry;
  }

  private static BigDecimal rounded(double value) {
    BigDecimal decimal = new BigDecimal(value, DIGITS).stripTrailingZeros();
    return decimal.signum() == 0 ? BigDecimal.ZERO : decimal;
  }
}

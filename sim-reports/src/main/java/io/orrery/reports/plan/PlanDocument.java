package io.orrery.reports.plan;

import io.orrery.reports.JsonText;
import io.orrery.scenarios.plan.Plan;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** A plan's answer for machines; the same inputs give the same bytes. */
public final class PlanDocument {
  /** The version of the document's structure; it grows when a key changes its meaning or goes. */
  public static final int SCHEMA_VERSION = 1;

  private static final MathContext DIGITS = new MathContext(7);

  private PlanDocument() {}

  /** The document as JSON, ended by a new line. */
  public static String of(PlanResult result, String version) {
    Plan plan = result.plan();
    PlanWords words = new PlanWords(result);
    Map<String, Object> root = new LinkedHashMap<>();
    root.put("schemaVersion", SCHEMA_VERSION);
    root.put("kind", "orrery-plan");
    root.put("version", version);
    root.put("name", plan.scenario().name());
    root.put("find", plan.find().key());
    Map<String, Object> slo = new LinkedHashMap<>();
    put(slo, "ttft_ms_p95", plan.slo().ttftP95Millis());
    put(slo, "tokens_per_s", plan.slo().tokensPerSecond());
    plan.slo().sessionP95Seconds().ifPresent(s -> put(slo, "session_completion_s_p95", s));
    root.put("slo", slo);
    root.put("holds", result.holds());
    root.put("answer", words.answer());
    root.put("details", words.details());
    if (result.holds()) {
      root.put("best", result.ranked().get(0).name());
    }
    if (result.holds()) {
      put(root, "answer_fails_probability", result.answerFails());
      put(root, "size_for_nine_of_ten", result.sizeForNineOfTen());
      root.put("flips", result.flips().stream().map(PlanDocument::flip).toList());
    }
    put(root, "step_time_margin", result.margin());
    result
        .error()
        .ifPresent(
            error -> {
              put(root, "step_time_sigma", error.sigma());
              root.put("step_time_error_source", error.source());
            });
    root.put("violations", result.violations());
    root.put("candidates", result.candidates().stream().map(c -> candidate(result, c)).toList());
    return JsonText.of(root);
  }

  private static Map<String, Object> flip(PlanResult.Flip flip) {
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put("first", flip.first().name());
    entry.put("second", flip.second().name());
    put(entry, "probability", flip.probability());
    return entry;
  }

  private static Map<String, Object> candidate(PlanResult result, CandidateResult candidate) {
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put("name", candidate.name());
    entry.put("set", candidate.point().set());
    if (!candidate.failure().isEmpty()) {
      entry.put("failure", candidate.failure());
      return entry;
    }
    entry.put("hardware", candidate.hardware());
    put(entry, "size", candidate.answer());
    put(entry, "value", candidate.value());
    put(entry, "value_if_slower", candidate.slower());
    put(entry, "value_if_faster", candidate.faster());
    put(entry, "mean_interval", result.interval(candidate));
    if (candidate.beyond() != null) {
      entry.put("gives_way", PlanWords.bottleneck(candidate).part());
    }
    List<Object> boundaries = new ArrayList<>();
    candidate
        .boundaries()
        .forEach(
            (seed, boundary) -> {
              Map<String, Object> one = new LinkedHashMap<>();
              one.put("seed", seed);
              put(one, "below", boundary.lastTrue());
              put(one, "above", boundary.firstFalse());
              boundaries.add(one);
            });
    entry.put("boundaries", boundaries);
    List<Object> trials = new ArrayList<>();
    for (Trial trial : candidate.trials()) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("size", trial.size());
      one.put("seed", trial.seed());
      put(one, "step_time_factor", trial.factor());
      one.put("holds", trial.holds());
      put(one, "ttft_ms_p95", trial.result().summary().get("ttft_ms.p95", Double.NaN));
      put(one, "tpot_ms_p95", trial.result().summary().get("tpot_ms.p95", Double.NaN));
      put(one, "worst", trial.check().worst().ratio());
      trials.add(one);
    }
    entry.put("trials", trials);
    return entry;
  }

  private static void put(Map<String, Object> into, String key, double value) {
    if (Double.isFinite(value)) {
      BigDecimal rounded = new BigDecimal(value).round(DIGITS).stripTrailingZeros();
      into.put(key, rounded.scale() < 0 ? rounded.setScale(0) : rounded);
    }
  }

  private static void put(Map<String, Object> into, String key, OptionalLong value) {
    value.ifPresent(number -> into.put(key, number));
  }
}

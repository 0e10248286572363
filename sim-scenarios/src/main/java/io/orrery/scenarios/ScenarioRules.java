package io.orrery.scenarios;

import io.orrery.scenarios.spec.SpeculationSpec;
import io.orrery.scenarios.text.KeyPath;
import io.orrery.scenarios.text.Position;
import io.orrery.scenarios.text.Problems;
import io.orrery.scenarios.text.Value;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** What the schema cannot say: settings that need or exclude one another. */
final class ScenarioRules {
  private static final KeyPath ENGINE = KeyPath.ROOT.child("engine");
  private static final KeyPath POOLS = KeyPath.ROOT.child("cluster").child("pools");

  private static final long LONGEST_STEP_OVERHEAD_NANOS = 3_600_000_000_000L;

  private final EffectiveConfig config;
  private final Position document;
  private final Problems problems;

  private ScenarioRules(EffectiveConfig config, Position document, Problems problems) {
    this.config = config;
    this.document = document;
    this.problems = problems;
  }

  /**
   * Checks a configuration.
   *
   * @param document where problems with values that nobody wrote are reported
   */
  static void check(EffectiveConfig config, Position document, Problems problems) {
    ScenarioRules rules = new ScenarioRules(config, document, problems);
    rules.arrivals();
    rules.lanes();
    rules.pools();
    rules.engineKeys();
    rules.watermark();
    rules.chunkedPrefill();
    rules.speculation();
    rules.stepOverhead();
  }

  private void arrivals() {
    String arrivals = "trace.closedLoop.arrivals.";
    String process = text(arrivals + "process");
    boolean drawn = !process.equals("recorded");
    boolean hasRate = config.get(arrivals + "rate").isPresent();
    if (drawn && !hasRate) {
      refuse(
          arrivals + "process",
          process + " without a rate",
          "trace.closedLoop.arrivals.rate beside it");
    }
    if (!drawn && hasRate) {
      refuse(
          arrivals + "rate",
          "a rate for recorded arrivals",
          "a process: poisson, uniform or gamma");
    }
    if (drawn && config.get(arrivals + "jitter").isPresent()) {
      refuse(
          arrivals + "jitter",
          "a jitter of " + process + " arrivals",
          "process recorded, or no jitter");
    }
    if (!process.equals("gamma") && config.get(arrivals + "cv").isPresent()) {
      refuse(
          arrivals + "cv",
          "a coefficient of variation for " + process + " arrivals",
          "process gamma, or no cv");
    }
  }

  private void lanes() {
    boolean endless =
        text("trace.lanes.limit").equals("all") && text("limits.simulatedTime").equals("none");
    if (text("trace.lanes.recycle").equals("true") && endless) {
      refuse(
          "trace.lanes.recycle",
          "true without an end",
          "trace.lanes.limit or limits.simulatedTime beside it");
    }
  }

  private void pools() {
    Map<String, Setting> names = new HashMap<>();
    for (Setting setting : config.settings()) {
      KeyPath path = setting.path();
      if (!path.startsWith(POOLS)) {
        continue;
      }
      String last = path.steps().get(path.steps().size() - 1);
      String value = setting.value().text();
      if (last.equals("name") && names.putIfAbsent(value, setting) != null) {
        refuse(path.text(), value + " a second time", "a name of its own for each pool");
      }
      if (last.equals("role") && !value.equals("aggregated")) {
        refuse(
            path.text(),
            value,
            "aggregated (prefill and decode pools are not supported by this version)");
      }
    }
  }

  /** A preset names the keys that its engine knows; the others would change nothing. */
  private void engineKeys() {
    String preset = text("engine.preset");
    Overlay known = Resolver.preset(preset);
    for (Setting setting : config.settings()) {
      KeyPath path = setting.path();
      boolean chosen =
          path.startsWith(ENGINE)
              && !path.equals(ENGINE.child("preset"))
              && !path.startsWith(ENGINE.child("speculation"));
      if (chosen && known.get(path).isEmpty()) {
        refuse(
            path.text(),
            setting.value().text(),
            "no such key, since it has no effect on " + preset);
      }
    }
  }

  private void speculation() {
    String section = "engine.speculation.";
    String method = text(section + "method");
    Optional<Setting> acceptance = config.get(section + "acceptance");
    if (method.equals("none")) {
      if (acceptance.isPresent()) {
        refuse(
            section + "acceptance",
            acceptance.get().value().text(),
            "engine.speculation.method beside it: mtp, eagle or ngram");
      }
      return;
    }
    if (method.equals(SpeculationSpec.LOOK_UPS) && !text(section + "draftLayers").equals("auto")) {
      refuse(
          section + "draftLayers",
          text(section + "draftLayers"),
          "auto, since look-ups in the prompt (ngram) take no layers");
    }
    if (!text("engine.preset").startsWith("vllm")) {
      refuse(
          section + "method",
          method,
          "none, since speculative decoding is modelled for vLLM's presets only");
    }
    if (acceptance.isEmpty()) {
      refuse(section + "method", method + " without acceptance", section + "acceptance beside it");
    } else if (acceptance.get().value() instanceof Value.Items given
        && given.values().size() != 1
        && !Integer.toString(given.values().size()).equals(text(section + "draftTokens"))) {
      refuse(
          section + "acceptance",
          given.text(),
          "one number, or one for each of " + text(section + "draftTokens") + " drafted tokens");
    }
  }

  private void chunkedPrefill() {
    Optional<Setting> size = config.get("engine.chunkedPrefillSize");
    if (size.isPresent()
        && size.get().value() instanceof Value.Whole tokens
        && config.get("engine.blockSize").orElseThrow().value() instanceof Value.Whole page
        && tokens.number() % page.number() != 0) {
      refuse(
          "engine.chunkedPrefillSize",
          tokens.text(),
          "a multiple of engine.blockSize, " + page.text());
    }
    if (text("engine.preset").startsWith("trtllm")
        && text("engine.chunkedPrefill").equals("true")
        && config.get("engine.maxBatchedTokens").orElseThrow().value() instanceof Value.Whole budget
        && config.get("engine.blockSize").orElseThrow().value() instanceof Value.Whole block
        && budget.number() < block.number()) {
      refuse(
          "engine.maxBatchedTokens",
          budget.text(),
          "at least engine.blockSize, " + block.text() + ", since chunks are whole blocks");
    }
  }

  private void watermark() {
    Optional<Setting> watermark = config.get("engine.watermark");
    boolean set =
        watermark.isPresent()
            && watermark.get().value() instanceof Value.Decimal share
            && share.number().compareTo(BigDecimal.ZERO) > 0;
    if (set && text("engine.preset").equals("vllm-2026-05")) {
      refuse(
          "engine.watermark",
          watermark.get().value().text(),
          "0, since vllm-2026-05 has no watermark");
    }
  }

  /** Times of steps add up in nanoseconds of 64 bits; an hour a step leaves room for millions. */
  private void stepOverhead() {
    String path = "stepTime.stepOverhead";
    Optional<Setting> overhead = config.get(path);
    if (overhead.isPresent()
        && overhead.get().value() instanceof Value.Amount time
        && time.base() > LONGEST_STEP_OVERHEAD_NANOS) {
      refuse(path, time.text(), "a duration of at most 1 h");
    }
  }

  private String text(String path) {
    return config.get(path).map(setting -> setting.value().text()).orElse("");
  }

  private void refuse(String path, String found, String expected) {
    Setting setting = config.get(path).orElseThrow();
    Origin origin = setting.origin();
    boolean writtenByUser =
        origin.kind() != Origin.Kind.DEFAULT && origin.kind() != Origin.Kind.PRESET;
    problems.add(writtenByUser ? origin.position() : document, path, found, expected);
  }
}

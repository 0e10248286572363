package io.orrery.scenarios.experiment;

/**
 * What an engine preset decides beyond the keys that a scenario may set.
 *
 * @param unkeyedToFront released blocks without a key are reused first
 * @param countEveryLookUp cache statistics count each look-up of a blocked head
 */
record EngineRules(boolean unkeyedToFront, boolean countEveryLookUp) {

  /** The rules of a preset that the schema knows. */
  static EngineRules of(String preset) {
    return switch (preset) {
      case "vllm-2026-05" -> new EngineRules(false, true);
      case "vllm-2026-07" -> new EngineRules(true, false);
      default -> throw new IllegalArgumentException("no rules for engine preset " + preset);
    };
  }
}

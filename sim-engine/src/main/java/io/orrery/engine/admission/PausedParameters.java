package io.orrery.engine.admission;

import io.orrery.engine.policy.InvalidPolicyException;
import io.orrery.engine.policy.PolicyKind;
import io.orrery.engine.policy.PolicyParameter;
import io.orrery.engine.policy.PolicyParameters;
import java.util.List;
import java.util.stream.Stream;

/**
 * Parameters of the variants of session-aware admission. Their defaults are the constants of the
 * implementations that the variants follow; the names are those of Dynamo's configuration.
 */
final class PausedParameters {
  private static final double YEAR_SECONDS = 31_536_000;

  static final PolicyParameter INTERVAL =
      PolicyParameter.duration(
          "schedulerInterval",
          "5 s",
          1e-9,
          YEAR_SECONDS,
          "Time between two looks at all sessions, at which they are paused and resumed.");
  static final PolicyParameter RESUME_TIMEOUT =
      PolicyParameter.duration(
          "resumeTimeout",
          "1800 s",
          1e-9,
          YEAR_SECONDS,
          "Longest wait of a request: then its session goes on whatever the load.");
  static final PolicyParameter BUFFER =
      PolicyParameter.whole(
          "bufferPerProgram",
          "100",
          0,
          1e9,
          "Tokens set aside for each session beside its context.");
  static final PolicyParameter ACTING_WEIGHT =
      PolicyParameter.number(
          "actingTokenWeight",
          "1",
          0,
          100,
          "Weight of the context of a session whose tool is running.");
  static final PolicyParameter ANNOUNCED_ENDS =
      PolicyParameter.number(
          "announcedEnds",
          "1",
          0,
          1,
          "Share of sessions whose client says when they are over, so that they are released; the others are as if they"
              + " had died without a word.");
  static final PolicyParameter PAUSE_THRESHOLD =
      PolicyParameter.number(
          "pauseThreshold", "0.95", 0, 1, "Share of a worker's KV cache above which it pauses.");
  static final PolicyParameter PAUSE_TARGET =
      PolicyParameter.number(
          "pauseTarget", "0.80", 0, 1, "Share of a worker's KV cache down to which it pauses.");
  static final PolicyParameter RESUME_HYSTERESIS =
      PolicyParameter.number(
          "resumeHysteresis",
          "0.10",
          0,
          1,
          "Sessions are resumed as far as the worker stays below pauseThreshold less this.");
  static final PolicyParameter DECAY =
      PolicyParameter.duration(
          "actingDecayTau",
          "1 s",
          1e-3,
          YEAR_SECONDS,
          "Time in which the context of a session whose tool is running counts half as much, where a forced session looks"
              + " for a worker.");

  private PausedParameters() {}

  /**
   * Checks that pausing ends below where it begins, and that there is something left to resume to.
   *
   * @throws InvalidPolicyException if not
   */
  static void checkThresholds(PolicyParameters parameters) {
    for (PolicyParameter bounded : List.of(PAUSE_TARGET, RESUME_HYSTERESIS)) {
      if (parameters.number(bounded.name()) > parameters.number(PAUSE_THRESHOLD.name())) {
        throw new InvalidPolicyException(
            PolicyKind.ADMISSION,
            bounded.name(),
            parameters.text(bounded.name()),
            "at most "
                + PAUSE_THRESHOLD.name()
                + ", which is "
                + parameters.text(PAUSE_THRESHOLD.name()));
      }
    }
  }

  /** What every variant takes, then what is special to one. */
  static List<PolicyParameter> with(PolicyParameter... special) {
    return Stream.concat(
            Stream.of(INTERVAL, RESUME_TIMEOUT, BUFFER, ACTING_WEIGHT, ANNOUNCED_ENDS),
            Stream.of(special))
        .toList();
  }
}

package io.orrery.engine.scheduler;

import io.orrery.engine.Draws;

/** Decides how many drafted tokens a step accepts. */
final class DraftAcceptance {
  private final Speculation speculation;
  private final Draws draws;
  private final double[] expected;

  DraftAcceptance(Speculation speculation, long seed) {
    this.speculation = speculation;
    draws = new Draws(seed, "engine.speculation");
    expected = new double[speculation.draftTokens() + 1];
    for (int i = 0; i < expected.length; i++) {
      expected[i] = speculation.expectedAccepted(i);
    }
  }

  /** Of {@code drafts} tokens drafted behind the request's known ones, those accepted. */
  int accepted(Sequence sequence, int drafts) {
    if (speculation.mode() == Speculation.Mode.EXPECTED) {
      sequence.expectedTokens += expected[drafts];
      int whole = (int) sequence.expectedTokens;
      sequence.expectedTokens -= whole;
      return whole;
    }
    int accepted = 0;
    // The draw belongs to the output token, so that a token meets the same luck whatever came
    // before.
    while (accepted < drafts
        && draws.uniform(sequence.request, (long) sequence.outputs + accepted)
            < speculation.acceptance().get(accepted)) {
      accepted++;
    }
    return accepted;
  }
}

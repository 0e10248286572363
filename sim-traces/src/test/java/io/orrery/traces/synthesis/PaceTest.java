package io.orrery.traces.synthesis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** Sessions that differ in what they draw again and again. */
class PaceTest {
  @Test
  void theNormalDistributionAndItsInverse() {
    assertThat(Pace.below(0)).isCloseTo(0.5, within(1e-7));
    assertThat(Pace.below(1.959964)).isCloseTo(0.975, within(1e-6));
    assertThat(Pace.below(-1)).isCloseTo(0.158655, within(1e-6));
    for (double p = 0.001; p < 1; p += 0.017) {
      assertThat(Pace.below(Pace.normal(p))).isCloseTo(p, within(3e-4));
    }
  }

  /** Sessions of a slow and a quick half, drawn from a known pace, give it back. */
  @Test
  void theFitFindsThePace() {
    RandomStream stream = new RandomStream(7, "paces", 0);
    int sessions = 400;
    int[] groupOf = new int[sessions];
    PaceFit fit = new PaceFit(groupOf, 2, false);
    for (int s = 0; s < sessions; s++) {
      groupOf[s] = s < 200 ? 0 : 1;
      double own = stream.normal();
      for (int turn = 0; turn < 30; turn++) {
        // Unit variance in all: 0.36 between the halves, 0.25 between sessions, 0.39 inside.
        double z = (s < 200 ? -0.6 : 0.6) + 0.5 * own + Math.sqrt(0.39) * stream.normal();
        fit.add(s, Math.exp(3 * z));
      }
    }

    Pace slow = fit.paces().get(0);
    Pace quick = fit.paces().get(1);

    assertThat(slow.mean()).isCloseTo(-0.6, within(0.08));
    assertThat(quick.mean()).isCloseTo(0.6, within(0.08));
    assertThat(slow.between()).isCloseTo(0.5, within(0.06));
    assertThat(quick.within()).isCloseTo(Math.sqrt(0.39), within(0.03));
  }

  @Test
  void equalValuesAndLonelyOnesHaveAPace() {
    PaceFit fit = new PaceFit(new int[] {0, 0, 1, 2}, 4, false);
    fit.add(0, 5);
    fit.add(1, 5);
    fit.add(2, 5);

    assertThat(fit.paces()).hasSize(4);
    assertThat(fit.paces().get(0).mean()).isCloseTo(0, within(1e-3));
    assertThat(fit.paces().get(0).within()).isZero();
    assertThat(fit.paces().get(3)).isEqualTo(Pace.NONE);
  }
}

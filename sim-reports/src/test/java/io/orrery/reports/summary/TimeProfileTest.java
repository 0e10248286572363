package io.orrery.reports.summary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class TimeProfileTest {
  @Test
  void intervalsCountForTheShareOfAStretchThatTheyCover() {
    TimeProfile profile = new TimeProfile(4, 400);
    profile.add(50, 350, 2);
    assertThat(profile.means()).containsExactly(1, 2, 2, 1);
    profile.add(110, 120, 5);
    assertThat(profile.means()).containsExactly(1, 2.5, 2, 1);
  }

  @Test
  void agreesWithAddingUpNanosecondByNanosecond() {
    SplittableRandom random = new SplittableRandom(4);
    for (int i = 0; i < 200; i++) {
      int end = 1 + random.nextInt(90);
      int stretches = 1 + random.nextInt(12);
      TimeProfile profile = new TimeProfile(stretches, end);
      double[] plain = new double[end];
      for (int k = 0; k < 6; k++) {
        int from = random.nextInt(end);
        int to = from + random.nextInt(end - from + 1);
        profile.add(from, to, k);
        for (int t = from; t < to; t++) {
          plain[t] += k;
        }
      }
      double[] means = profile.means();
      for (int s = 0; s < stretches; s++) {
        int from = (int) profile.edge(s);
        int to = (int) profile.edge(s + 1);
        double sum = 0;
        for (int t = from; t < to; t++) {
          sum += plain[t];
        }
        if (to > from) {
          assertThat(means[s]).isCloseTo(sum / (to - from), within(1e-9));
        }
      }
    }
  }
}

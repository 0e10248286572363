package io.orrery.scenarios.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.scenarios.plan.BoundarySearch.Boundary;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BoundarySearchTest {
  @Test
  void findsTheExactBoundaryFromAnyStart() {
    for (long edge = 1; edge < 40; edge++) {
      for (long start = 1; start <= 64; start++) {
        long last = edge;
        Boundary found = BoundarySearch.search(1, 64, start, 0, n -> n <= last);
        assertThat(found.lastTrue()).hasValue(edge);
        assertThat(found.firstFalse()).hasValue(edge + 1);
      }
    }
  }

  @Test
  void stopsWhereTheToleranceAllows() {
    List<Long> asked = new ArrayList<>();
    Boundary found =
        BoundarySearch.search(
            1,
            100_000,
            100,
            0.1,
            n -> {
              asked.add(n);
              return n <= 7777;
            });
    assertThat(found.lastTrue().getAsLong()).isBetween(7777 * 10 / 11L, 7777L);
    assertThat(found.firstFalse().getAsLong()).isBetween(7778L, 7777 * 11 / 10L + 1);
    assertThat(asked).startsWith(100L, 200L, 400L).hasSizeLessThan(13).doesNotHaveDuplicates();
  }

  @Test
  void saysWhichSideWasNeverSeen() {
    assertThat(BoundarySearch.search(1, 50, 7, 0, n -> true))
        .satisfies(found -> assertThat(found.lastTrue()).hasValue(50))
        .satisfies(found -> assertThat(found.firstFalse()).isEmpty());
    assertThat(BoundarySearch.search(3, 50, 7, 0, n -> false))
        .satisfies(found -> assertThat(found.lastTrue()).isEmpty())
        .satisfies(found -> assertThat(found.firstFalse()).hasValue(3));
  }

  @Test
  void whatContradictsItselfStillEndsBetweenATrueAndAFalse() {
    Boundary found = BoundarySearch.search(1, 1000, 8, 0, n -> n % 5 != 0);
    assertThat(found.lastTrue().getAsLong() % 5).isNotZero();
    assertThat(found.firstFalse().getAsLong()).isEqualTo(found.lastTrue().getAsLong() + 1);
  }
}

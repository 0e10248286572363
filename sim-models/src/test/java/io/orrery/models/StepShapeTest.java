package io.orrery.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class StepShapeTest {
  private final StepShape shape = new StepShape();

  @Test
  void sumsFollowWhatIsAdded() {
    shape.addPrefill(512, 0);
    shape.addPrefill(100, 4096);
    shape.addDecode(7);
    shape.addDecode(1000);
    shape.addDecode(30);

    assertThat(shape.prefillCount).isEqualTo(2);
    assertThat(shape.prefillNewSum).isEqualTo(612);
    assertThat(shape.decodeCount).isEqualTo(3);
    assertThat(shape.decodeContextSum).isEqualTo(1037);
    assertThat(shape.decodeContextMin).isEqualTo(7);
    assertThat(shape.decodeContextMax).isEqualTo(1000);
    assertThat(shape.newTokens()).isEqualTo(615);
  }

  @Test
  void advancingLengthensEveryContextByOne() {
    shape.addDecode(7);
    shape.addDecode(1000);
    shape.advanceDecodes();
    shape.advanceDecodes(4);
    shape.addDecode(3); // a context counts from the moment it is added

    assertThat(shape.decodeContext(0)).isEqualTo(12);
    assertThat(shape.decodeContext(1)).isEqualTo(1005);
    assertThat(shape.decodeContext(2)).isEqualTo(3);
    assertThat(shape.decodeContextSum).isEqualTo(1020);
    assertThat(shape.decodeContextMin).isEqualTo(3);
    assertThat(shape.decodeContextMax).isEqualTo(1005);
  }

  @Test
  void clearingKeepsThePoolOnly() {
    shape.kvPoolTokens = 1 << 20;
    shape.addPrefill(5, 5);
    shape.addDecode(5);
    shape.advanceDecodes();
    shape.clear();

    assertThat(shape.newTokens()).isZero();
    assertThat(shape.decodeContextSum).isZero();
    assertThat(shape.decodeContextMax).isZero();
    assertThat(shape.kvPoolTokens).isEqualTo(1 << 20);
    shape.advanceDecodes(9); // nothing to advance
    shape.addDecode(4);
    assertThat(shape.decodeContext(0)).isEqualTo(4);
    assertThat(shape.decodeContextMin).isEqualTo(4);
  }

  @Test
  void arraysGrow() {
    for (int i = 1; i <= 1000; i++) {
      shape.addPrefill(i, 2 * i);
      shape.addDecode(i);
    }
    assertThat(shape.prefillNew[999]).isEqualTo(1000);
    assertThat(shape.prefillPrefix[999]).isEqualTo(2000);
    assertThat(shape.decodeContext(999)).isEqualTo(1000);
    assertThat(shape.newTokens()).isEqualTo(500_500 + 1000);
  }

  @Test
  void countsOutOfRangeAreErrors() {
    assertThatThrownBy(() -> shape.addPrefill(0, 10))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("prefill of 0 new tokens on a prefix of 10");
    assertThatThrownBy(() -> shape.addPrefill(1, -1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> shape.addDecode(0)).hasMessage("decode with a context of 0 tokens");
  }
}

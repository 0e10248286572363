package io.orrery.engine.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlacementRuleTest {
  @Test
  void allConditionsMustHold() {
    PlacementRule rule = PlacementRule.parse("session eval-* and input >= 100 and root -> pool a");
    assertThat(rule.holds("eval-7", false, 100)).isTrue();
    assertThat(rule.holds("prod-7", false, 100)).isFalse();
    assertThat(rule.holds("eval-7", true, 100)).isFalse();
    assertThat(rule.holds("eval-7", false, 99)).isFalse();
    assertThat(PlacementRule.parse("input < 5 -> worker 1").holds("x", true, 5)).isFalse();
    assertThat(PlacementRule.parse("child -> worker 1").holds("x", true, 5)).isTrue();
    assertThat(PlacementRule.parse("session a.c -> worker 1").holds("abc", true, 5))
        .as("a dot is a dot")
        .isFalse();
  }

  @Test
  void targetsArePoolsLabelsAndWorkers() {
    assertThat(PlacementRule.parse("always -> pool a").meets(0, "a", List.of())).isTrue();
    assertThat(PlacementRule.parse("always -> label a").meets(0, "a", List.of())).isFalse();
    assertThat(PlacementRule.parse("always -> label a").meets(0, "b", List.of("a"))).isTrue();
    assertThat(PlacementRule.parse("always -> worker 3").meets(3, "b", List.of())).isTrue();
    PlacementRule preference = PlacementRule.parse("always -> prefer near 1.5");
    assertThat(preference.target()).isEqualTo(PlacementRule.Target.PREFER);
    assertThat(preference.weight()).isEqualTo(1.5);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "->",
        "always",
        "always -> nowhere",
        "always -> pool",
        "always -> worker x",
        "input > 5 -> pool a",
        "input >= -5 -> pool a",
        "always and -> pool a",
        "always -> prefer near",
        "always -> prefer near 1e5",
        "a -> b -> c"
      })
  void anythingElseIsRefusedWithAnExample(String text) {
    assertThatThrownBy(() -> PlacementRule.parse(text))
        .hasMessageStartingWith("a rule such as \"session eval-*");
  }
}

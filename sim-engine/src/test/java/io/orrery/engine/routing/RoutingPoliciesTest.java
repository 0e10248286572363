package io.orrery.engine.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class RoutingPoliciesTest {
  @Test
  void theseComeWithOrrery() {
    assertThat(RoutingPolicies.builtIn())
        .extracting(RoutingPolicyFactory::name)
        .containsExactly(
            "round-robin",
            "random",
            "least-loaded",
            "power-of-two",
            "session-affinity",
            "kv-aware");
  }

  @Test
  void everyDefaultIsAValueThatThePolicyAccepts() {
    FakeCluster cluster = new FakeCluster(2);
    for (RoutingPolicyFactory factory : RoutingPolicies.all()) {
      assertThat(RoutingPolicies.named(factory.name()).name()).isEqualTo(factory.name());
      RoutedRequest request = FakeCluster.request(0, 64, 1, 4);
      assertThat(cluster.policy(factory).choose(request, cluster.candidates())).isBetween(0, 1);
    }
  }

  @Test
  void anUnknownNameIsAnsweredWithTheNearestAndAll() {
    assertThatThrownBy(() -> RoutingPolicies.named("kv-awre"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(
            "routing.policy: found unknown routing policy 'kv-awre', expected one of round-robin,"
                + " random, least-loaded, power-of-two, session-affinity, kv-aware")
        .hasMessageEndingWith(" (did you mean kv-aware?)");
    assertThatThrownBy(() -> RoutingPolicies.named("telepathy"))
        .message()
        .doesNotContain("did you mean");
  }

  @Test
  void oneNameForTwoPoliciesIsRefused() {
    RoutingPolicyFactory impostor =
        new NamedPolicy("random", "Another one.", List.of(), UniformRandom.FACTORY::create);
    assertThatThrownBy(() -> RoutingPolicies.with(List.of(impostor)))
        .hasMessageStartingWith("routing policy 'random' is declared twice, by ");
  }
}

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
            "weighted",
            "session-affinity",
            "consistent-hash",
            "rendezvous",
            "global-lb",
            "kv-only",
            "kv-aware",
            "approximate",
            "predicted",
            "dynamo-2026-07",
            "dynamo-load-aware-2026-07",
            "dynamo-agentic-2026-07",
            "dynamo-lmetric-2026-07",
            "cache-aware",
            "sglang-2024-12",
            "scorers",
            "llm-d-precise-2026-11",
            "oracle-routing");
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
                + " random, least-loaded, power-of-two, weighted, session-affinity, ")
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

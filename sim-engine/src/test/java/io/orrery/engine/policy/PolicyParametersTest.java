package io.orrery.engine.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PolicyParametersTest {
  private static final PolicyFactory POLICY =
      new Described(
          "example",
          List.of(
              PolicyParameter.number("weight", "0.75", 0, 10, "A weight."),
              PolicyParameter.duration("ttl", "600 s", 1, 31_536_000, "A lifetime."),
              PolicyParameter.choice("load", "requests", List.of("requests", "kv"), "A load."),
              PolicyParameter.flag("track", true, "A switch.")));

  private record Described(String name, List<PolicyParameter> parameters) implements PolicyFactory {
    @Override
    public PolicyKind kind() {
      return PolicyKind.ROUTING;
    }

    @Override
    public String summary() {
      return "An example.";
    }
  }

  @Test
  void whatIsNotGivenHasItsDefault() {
    PolicyParameters parameters = PolicyParameters.resolve(POLICY, Map.of());
    assertThat(parameters.number("weight")).isEqualTo(0.75);
    assertThat(parameters.nanos("ttl")).isEqualTo(600_000_000_000L);
    assertThat(parameters.text("load")).isEqualTo("requests");
    assertThat(parameters.text("track")).isEqualTo("true");
    assertThat(parameters.texts().keySet()).containsExactly("weight", "ttl", "load", "track");
  }

  @Test
  void whatIsGivenReplacesTheDefault() {
    PolicyParameters parameters =
        PolicyParameters.resolve(
            POLICY, Map.of("weight", "2.5", "ttl", "1 h", "load", "kv", "track", "false"));
    assertThat(parameters.number("weight")).isEqualTo(2.5);
    assertThat(parameters.nanos("ttl")).isEqualTo(3_600_000_000_000L);
    assertThat(parameters.text("load")).isEqualTo("kv");
    assertThat(parameters.texts())
        .containsEntry("ttl", "1 h")
        .containsEntry("weight", "2.5")
        .containsEntry("track", "false");
  }

  @ParameterizedTest
  @CsvSource({
    "600 s, 600000000000",
    "600s, 600000000000",
    "1.5 s, 1500000000",
    "1500 ms, 1500000000",
    "2000000 us, 2000000000",
    "2000000 µs, 2000000000",
    "1000000000 ns, 1000000000",
    "1 s, 1000000000",
    "2 min, 120000000000",
    "1 h, 3600000000000",
    "8760 h, 31536000000000000"
  })
  void durationsHaveUnits(String text, long nanos) {
    assertThat(PolicyParameters.resolve(POLICY, Map.of("ttl", text)).nanos("ttl")).isEqualTo(nanos);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "600",
        "s",
        "",
        "600 parsecs",
        "-1 s",
        "0 s",
        "999 ms",
        "8761 h",
        "1000000000.5 ns",
        "1e99 h",
        "1 S"
      })
  void aDurationWithoutUnitOrOutOfRangeIsRefused(String text) {
    assertThatThrownBy(() -> PolicyParameters.resolve(POLICY, Map.of("ttl", text)))
        .hasMessage(
            "routing.ttl: found '"
                + text
                + "', expected a duration such as \"600 s\" (ns, us, ms, s, min or h) from 1 s to"
                + " 31536000 s");
  }

  @ParameterizedTest
  @ValueSource(strings = {"much", "", "-0.1", "10.01", "NaN", "Infinity", "1 s", "0x1", "1e99"})
  void aNumberThatIsNoneOrOutOfRangeIsRefused(String text) {
    assertThatThrownBy(() -> PolicyParameters.resolve(POLICY, Map.of("weight", text)))
        .hasMessage("routing.weight: found '" + text + "', expected a number from 0 to 10");
  }

  @Test
  void aChoiceIsOneOfItsWords() {
    assertThatThrownBy(() -> PolicyParameters.resolve(POLICY, Map.of("load", "tokens")))
        .hasMessage("routing.load: found 'tokens', expected one of requests, kv");
    assertThatThrownBy(() -> PolicyParameters.resolve(POLICY, Map.of("track", "yes")))
        .hasMessage("routing.track: found 'yes', expected one of true, false");
  }

  @Test
  void anUnknownParameterIsAnsweredWithTheNearest() {
    assertThatThrownBy(() -> PolicyParameters.resolve(POLICY, Map.of("tll", "1 h")))
        .hasMessage(
            "routing.tll: found a parameter that example does not have, expected one of weight, ttl,"
                + " load, track (did you mean ttl?)");
    assertThatThrownBy(
            () ->
                PolicyParameters.resolve(
                    new Described("round-robin", List.of()), Map.of("ttl", "1 h")))
        .hasMessage("routing.ttl: found a parameter that round-robin does not have, expected none");
  }

  @Test
  void thePartsOfTheMessageAreThereForWhoKnowsTheLine() {
    InvalidPolicyException problem =
        catchThrowableOfType(
            InvalidPolicyException.class,
            () -> PolicyParameters.resolve(POLICY, Map.of("load", "tokens")));
    assertThat(problem.key()).isEqualTo("load");
    assertThat(problem.found()).isEqualTo("'tokens'");
    assertThat(problem.expected()).isEqualTo("one of requests, kv");
  }

  @Test
  void aPolicyThatAsksForWhatItDidNotDeclareIsTold() {
    PolicyParameters parameters = PolicyParameters.resolve(POLICY, Map.of());
    assertThatThrownBy(() -> parameters.number("ttl"))
        .hasMessage("routing policy 'example' declares no number 'ttl'");
    assertThatThrownBy(() -> parameters.nanos("weight"))
        .hasMessage("routing policy 'example' declares no duration 'weight'");
    assertThatThrownBy(() -> parameters.text("colour"))
        .hasMessage("routing policy 'example' declares no parameter 'colour'");
  }
}

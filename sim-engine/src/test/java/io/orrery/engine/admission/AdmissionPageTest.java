package io.orrery.engine.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.engine.policy.PolicyParameter;
import io.orrery.engine.policy.PolicyParameters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * The page about admission says what the registry says. After a change, run this test once with
 * {@code -Dorrery.regenerate=true} to write the generated part anew.
 */
class AdmissionPageTest {
  private static final Path PAGE = Path.of("docs/admission.md");
  private static final String BEGIN = "<!-- generated: policies -->\n";
  private static final String END = "<!-- end of policies -->\n";

  @Test
  void thePageIsUpToDate() throws IOException {
    String page = Files.readString(PAGE);
    assertThat(page).containsOnlyOnce(BEGIN).containsOnlyOnce(END);
    String expected =
        page.substring(0, page.indexOf(BEGIN) + BEGIN.length())
            + "\n"
            + policies()
            + page.substring(page.indexOf(END));
    if (Boolean.getBoolean("orrery.regenerate")) {
      Files.writeString(PAGE, expected);
      page = expected;
    }
    assertThat(page).isEqualTo(expected);
  }

  private static String policies() {
    StringBuilder text = new StringBuilder();
    for (AdmissionPolicyFactory policy : AdmissionPolicies.builtIn()) {
      text.append("### `").append(policy.name()).append("`\n\n").append(policy.summary());
      text.append("\n\n");
      if (policy.parameters().isEmpty()) {
        continue;
      }
      text.append("| parameter | value | default | meaning |\n|---|---|---|---|\n");
      for (PolicyParameter parameter : policy.parameters()) {
        text.append("| `").append(parameter.name()).append("` | ");
        text.append(PolicyParameters.expected(parameter)).append(" | `");
        text.append(parameter.defaultValue()).append("` | ");
        text.append(parameter.summary()).append(" |\n");
      }
      text.append('\n');
    }
    return text.toString();
  }
}

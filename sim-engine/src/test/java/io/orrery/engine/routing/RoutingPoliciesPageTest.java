package io.orrery.engine.routing;

import static io.orrery.engine.routing.FakeCluster.request;
import static org.assertj.core.api.Assertions.assertThat;

import com.example.FollowPrefix;
import io.orrery.engine.policy.PolicyParameter;
import io.orrery.engine.policy.PolicyParameters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * The page about routing policies says what the registry says, and its example works. After a
 * change, run this test once with {@code -Dorrery.regenerate=true} to write the generated parts
 * anew.
 */
class RoutingPoliciesPageTest {
  private static final Path PAGE = Path.of("docs/routing-policies.md");
  private static final Path EXAMPLE =
      Path.of("sim-engine/src/test/java/com/example/FollowPrefix.java");

  @Test
  void thePageIsUpToDate() throws IOException {
    String page = Files.readString(PAGE);
    String expected = withPart(page, "policies", policies());
    expected = withPart(expected, "example", "```java\n" + Files.readString(EXAMPLE) + "```\n");
    if (Boolean.getBoolean("orrery.regenerate")) {
      Files.writeString(PAGE, expected);
      page = expected;
    }
    assertThat(page).isEqualTo(expected);
  }

  /** Worker 1 has two blocks cached and, at first, four requests more than worker 0. */
  @Test
  void theExampleIsFoundByItsNameAndWorks() {
    FakeCluster cluster = new FakeCluster(2);
    cluster.cache(1, 1, 2);
    cluster.workers[1].requests = 4;
    RoutingPolicy policy = cluster.policy(RoutingPolicies.named("follow-prefix"));
    assertThat(policy).isInstanceOf(FollowPrefix.class);
    assertThat(policy.choose(request(0, 64, 1, 4), cluster.candidates())).isEqualTo(1);
    assertThat(policy.choose(request(1, 64, 7, 4), cluster.candidates())).isZero();
    cluster.workers[1].requests = 5;
    assertThat(policy.choose(request(2, 64, 1, 4), cluster.candidates())).isZero();
  }

  private static String policies() {
    StringBuilder text = new StringBuilder();
    for (RoutingPolicyFactory policy : RoutingPolicies.builtIn()) {
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

  private static String withPart(String page, String name, String content) {
    String begin = "<!-- generated: " + name + " -->\n";
    String end = "<!-- end of " + name + " -->\n";
    assertThat(page).containsOnlyOnce(begin).containsOnlyOnce(end);
    return page.substring(0, page.indexOf(begin) + begin.length())
        + "\n"
        + content
        + (content.endsWith("\n\n") ? "" : "\n")
        + page.substring(page.indexOf(end));
  }
}

package io.orrery.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** Pages by task, and the examples of CI that they name: every command of theirs is run. */
class TaskPagesTest {
  private static final Path EXAMPLES = Path.of("docs/examples/ci");

  @TempDir Path folder;

  @Test
  void everyCommandOfThePageOnGatesWorks() throws IOException {
    assertThat(DocumentedCommands.run(Path.of("docs/ci.md"), folder)).hasSizeGreaterThan(6);
  }

  @Test
  void everyCommandOfThePageOnCapacityWorks() throws IOException {
    assertThat(DocumentedCommands.run(Path.of("docs/capacity-planning.md"), folder))
        .hasSizeGreaterThan(4);
  }

  @Test
  void linksLeadSomewhere() throws IOException {
    Pattern link = Pattern.compile("\\]\\(([^)#:]+)(?:#[^)]*)?\\)");
    for (String page : List.of("ci.md", "capacity-planning.md")) {
      Matcher target = link.matcher(Files.readString(Path.of("docs", page)));
      while (target.find()) {
        assertThat(Path.of("docs").resolve(target.group(1))).exists();
      }
    }
  }

  private static String gitHubsCommand() throws IOException {
    JsonNode workflow = yaml("github-workflow.yml");
    // YAML 1.1 takes the key "on" for true.
    assertThat(workflow.path("true").has("pull_request")).isTrue();
    assertThat(workflow.path("permissions").path("contents").asText()).isEqualTo("read");
    List<String> commands = new ArrayList<>();
    for (JsonNode step : workflow.path("jobs").path("gates").path("steps")) {
      assertThat(step.has("uses") || step.has("run")).isTrue();
      commands.add(step.path("run").asText());
    }
    return ours(commands);
  }

  private static String ours(List<String> commands) {
    List<String> ours =
        commands.stream().filter(command -> command.startsWith("./orrery ")).toList();
    assertThat(ours).hasSize(1);
    return ours.get(0).strip();
  }

  @Test
  void theWorkflowForGitHubHoldsTheGatesAndShowsThem() throws IOException {
    String[] words = gitHubsCommand().substring("./orrery ".length()).split(" ");
    for (int i = 0; i < words.length; i++) {
      words[i] = words[i].startsWith("gates.") ? folder.resolve(words[i]).toString() : words[i];
    }
    Orrery.run(words).succeeded();
    assertThat(Files.readString(folder.resolve("gates.xml"))).contains("failures=\"0\"");
    assertThat(Files.readString(folder.resolve("gates.md"))).contains("**passed: ");
  }

  @Test
  void theJobForGitLabDoesTheSameAndKeepsItsReport() throws IOException {
    JsonNode job = yaml("gitlab-ci.yml").path("policy-gates");
    assertThat(job.path("artifacts").path("reports").path("junit").asText()).isEqualTo("gates.xml");
    List<String> commands = new ArrayList<>();
    job.path("script").forEach(line -> commands.add(line.asText()));
    assertThat(ours(commands))
        .isEqualTo(
            gitHubsCommand().replace(" --annotations", "").replace(" --markdown gates.md", ""));
  }

  private static JsonNode yaml(String file) throws IOException {
    Object tree =
        new Yaml(new SafeConstructor(new LoaderOptions()))
            .load(Files.readString(EXAMPLES.resolve(file)));
    return new ObjectMapper().valueToTree(tree);
  }
}

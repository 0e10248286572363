package io.orrery.scenarios.imports;

import io.orrery.scenarios.text.Position;
import io.orrery.scenarios.text.ScenarioException;
import io.orrery.scenarios.text.YamlNode;
import io.orrery.scenarios.text.YamlReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Reads a file with the settings of another system: an llm-d scheduler's YAML, or a script whose
 * commands start vLLM or NVIDIA Dynamo's router.
 */
public final class ConfigImport {
  private static final String EXPECTED =
      "a command \"vllm serve\", Dynamo's router arguments (--router-...), or an EndpointPickerConfig in YAML";

  /** Python modules that take the flags of {@code vllm serve}. */
  private static final List<String> VLLM_MODULES =
      List.of("vllm.entrypoints.openai.api_server", "dynamo.vllm");

  private ConfigImport() {}

  /**
   * Reads a file.
   *
   * @throws ScenarioException if it cannot be read, or holds nothing of this kind
   */
  public static ImportedConfig read(Path file) {
    String text;
    try {
      text = Files.readString(file);
    } catch (IOException e) {
      throw new ScenarioException(
          Position.of(file.toString()), "", "a file that cannot be read", EXPECTED);
    }
    ImportedConfig config = new ImportedConfig();
    if (text.contains("EndpointPickerConfig")) {
      YamlNode root = YamlReader.read(file, "a scheduler's configuration");
      if (LlmdScheduler.is(root)) {
        LlmdScheduler.read(root, config);
        return config;
      }
    }
    boolean found = false;
    for (List<String> words : ShellWords.commands(text)) {
      found |= command(words, config);
    }
    if (!found) {
      throw new ScenarioException(Position.of(file.toString()), "", "none of these", EXPECTED);
    }
    return config;
  }

  private static boolean command(List<String> words, ImportedConfig config) {
    int serve = words.indexOf("serve");
    if (serve > 0 && words.get(serve - 1).endsWith("vllm")) {
      VllmServe.read(words, serve + 1, config);
      return true;
    }
    for (String module : VLLM_MODULES) {
      if (words.contains(module)) {
        VllmServe.read(words, words.indexOf(module) + 1, config);
        return true;
      }
    }
    boolean router =
        words.stream()
            .anyMatch(
                word ->
                    word.startsWith("--router-")
                        || word.equals("dynamo.frontend")
                        || word.equals("dynamo.router"));
    if (router) {
      DynamoRouter.read(words.stream().filter(word -> !word.equals("-m")).toList(), config);
    }
    return router;
  }
}

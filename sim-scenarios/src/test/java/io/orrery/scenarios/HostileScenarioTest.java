package io.orrery.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.scenarios.text.ScenarioException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Broken files give problems, never any other exception. */
class HostileScenarioTest {
  private static final String[] SNIPPETS = {
    "\t",
    "\n",
    "\r\n",
    "---\n",
    "...\n",
    "- ",
    ": ",
    "? ",
    "{",
    "}",
    "[",
    "]",
    "&a ",
    "*a",
    "!!map ",
    "<<: *a\n",
    "|\n",
    ">-\n",
    "'",
    "\"",
    "\\",
    "%YAML 1.2\n",
    "@",
    "`",
    "#",
    "~",
    "null",
    "true",
    "-1",
    "1e99",
    ".inf",
    "0x1",
    "2 s",
    "\u0000",
    "\u0085",
    "\uFEFF",
    "\uD83D\uDE00",
    "variants: ",
    "set: ",
    "routing.policy: x\n",
    "cluster.pools[9].gpu",
    "name: main\n",
  };

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "scenarios/quickstart.yaml",
        "sim-scenarios/src/main/resources/io/orrery/scenarios/defaults.yaml",
      })
  void mutatedFilesLoadOrAreRefused(String original) throws IOException {
    Random random = new Random(4);
    byte[] bytes = Files.readAllBytes(Path.of(original));
    Path file = folder.resolve("x.yaml");
    CommandLineSettings trace = CommandLineSettings.none().withTraces(List.of("t.jsonl"));
    int refused = 0;
    for (int i = 0; i < 1500; i++) {
      Files.write(file, mutated(bytes, random));
      try {
        assertThat(ScenarioLoader.load(file, trace).variants()).isNotEmpty();
      } catch (ScenarioException e) {
        refused++;
        assertThat(e.problems()).isNotEmpty();
        assertThat(e.getMessage().lines())
            .allSatisfy(line -> assertThat(line).contains(": found ").contains(", expected "));
      }
    }
    assertThat(refused).isBetween(100, 1499);
  }

  private static byte[] mutated(byte[] original, Random random) {
    String text = new String(original, StandardCharsets.UTF_8);
    for (int edits = 1 + random.nextInt(4); edits > 0; edits--) {
      int at = random.nextInt(text.length() + 1);
      int end = Math.min(text.length(), at + random.nextInt(12));
      text =
          switch (random.nextInt(4)) {
            case 0 -> text.substring(0, at) + text.substring(end); // cut
            case 1 -> text.substring(0, end) + text.substring(at); // double
            case 2 -> text.substring(0, at); // truncate
            default ->
                text.substring(0, at)
                    + SNIPPETS[random.nextInt(SNIPPETS.length)]
                    + text.substring(at);
          };
    }
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (bytes.length > 0 && random.nextInt(8) == 0) {
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
    }
    return bytes;
  }
}

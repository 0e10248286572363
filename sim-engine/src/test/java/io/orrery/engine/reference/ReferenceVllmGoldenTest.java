package io.orrery.engine.reference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The stepwise reference decides what the real vLLM scheduler decided, in every recorded scenario
 * and down to the order of the free queue. So the planned engine is measured against vLLM, not
 * against a twin of itself.
 */
class ReferenceVllmGoldenTest {
  @ParameterizedTest
  @CsvSource({
    "vllm-main-20260525-6f955986e.jsonl.gz, 122, 26015",
    "vllm-main-20260725-7a6a5b366.jsonl.gz, 128, 26984"
  })
  void agreesWithEveryRecordedScenario(String file, int scenarios, int steps) throws IOException {
    String data = System.getProperty("orrery.data");
    assumeTrue(data != null, "skips the recordings of vLLM: -Dorrery.data=DIR is not set");
    Path path = Path.of(data, "golden", file);
    assumeTrue(Files.exists(path), "skips the recordings of vLLM: there is no " + path);

    ObjectMapper mapper = new ObjectMapper();
    List<String> differences = new ArrayList<>();
    int seenScenarios = 0;
    int seenSteps = 0;
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(path)), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        JsonNode scenario = mapper.readTree(line);
        GoldenReplay replay = new GoldenReplay(scenario);
        replay.firstDifference().ifPresent(differences::add);
        seenScenarios++;
        seenSteps += replay.comparedSteps();
      }
    }
    assertThat(differences).isEmpty();
    assertThat(seenScenarios).isEqualTo(scenarios);
    assertThat(seenSteps).isEqualTo(steps);
  }
}

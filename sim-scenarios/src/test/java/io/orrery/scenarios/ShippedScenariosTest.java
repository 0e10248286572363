package io.orrery.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.scenarios.spec.DispatchMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ShippedScenariosTest {
  private static final Path FOLDER = Path.of("scenarios");

  @Test
  void everyShippedScenarioLoads() throws IOException {
    List<Path> files;
    try (Stream<Path> walk = Files.walk(FOLDER)) {
      files =
          walk.filter(
                  file ->
                      file.toString().endsWith(".yaml") && !file.toString().endsWith(".gates.yaml"))
              .sorted()
              .toList();
    }
    assertThat(files).contains(FOLDER.resolve("quickstart.yaml"));
    for (Path file : files) {
      assertThat(ScenarioLoader.load(file, CommandLineSettings.none()).variants()).isNotEmpty();
    }
  }

  @Test
  void theQuickstartComparesThreeRoutersOnSixteenGpus() {
    Scenario quickstart =
        ScenarioLoader.load(FOLDER.resolve("quickstart.yaml"), CommandLineSettings.none());
    assertThat(quickstart.variants())
        .extracting(v -> v.name() + " " + v.spec().routing().policy())
        .containsExactly(
            "load-based least-loaded", "session-affinity session-affinity", "kv-aware kv-aware");
    assertThat(quickstart.variants())
        .allSatisfy(
            variant -> {
              assertThat(variant.spec().gpus()).isEqualTo(16);
              assertThat(variant.spec().workers()).isEqualTo(8);
              assertThat(variant.spec().trace().source().files())
                  .containsExactly(Path.of("traces/quickstart.jsonl.gz"));
              assertThat(variant.spec().trace().dispatch()).isEqualTo(DispatchMode.LANES);
              assertThat(variant.spec().trace().lanes().count()).hasValue(160);
            });
  }
}

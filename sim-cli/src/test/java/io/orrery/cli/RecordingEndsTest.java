package io.orrery.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.engine.record.RunResult;
import io.orrery.scenarios.CommandLineSettings;
import io.orrery.scenarios.ScenarioLoader;
import io.orrery.scenarios.experiment.Experiment;
import io.orrery.scenarios.experiment.ScenarioRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordingEndsTest {
  @TempDir Path folder;

  /** A record that is full after a third of the run: every fourth session would fit. */
  @Test
  void theNoteSaysWhereARecordEndsAndWhatHoldsTheWholeRun() throws IOException {
    SmallTrace.write(folder.resolve("small.jsonl"));
    Path file = folder.resolve("two.yaml");
    Files.writeString(
        file,
        """
        trace: {files: small.jsonl, blockSize: 64}
        engine: {blockSize: 64}
        variants:
          - {name: cut}
          - {name: whole}
        """);
    List<ScenarioRun> runs =
        Experiment.prepare(ScenarioLoader.load(file, CommandLineSettings.none())).runs();
    RunResult result = runs.get(0).simulate(requests -> {});
    RecordingEnds ends = new RecordingEnds();
    ends.add(runs.get(0), OptionalLong.of(result.endNanos() / 3 - 1), result);
    ends.add(runs.get(1), OptionalLong.empty(), result);

    assertThat(ends.notes(runs, "The record of ", "--sample ", " spreads it."))
        .singleElement()
        .asString()
        .startsWith("The record of cut ends after ")
        .endsWith(", where it is as long as a file gets by itself; --sample 4 spreads it.");
  }
}

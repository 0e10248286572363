package io.orrery.scenarios.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.models.StepShape;
import io.orrery.models.StepTimeModel;
import io.orrery.scenarios.CommandLineSettings;
import io.orrery.scenarios.ScenarioLoader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SlowedStepTimeTest {
  @TempDir Path folder;

  private ScenarioRun run(double factor) throws IOException {
    Files.writeString(
        folder.resolve("t.jsonl"),
        """
        {"timestamp": 0, "input_length": 1100, "output_length": 300, "hash_ids": [0, 1, 2]}
        {"timestamp": 0, "input_length": 900, "output_length": 200, "hash_ids": [0, 3]}
        """);
    return new RunPreparation()
        .run(
            ScenarioLoader.parse(
                    "trace: {files: t.jsonl}", "s.yaml", folder, CommandLineSettings.none())
                .variants()
                .get(0),
            factor);
  }

  @Test
  void everyPassLastsSoMuchLonger() throws IOException {
    StepTimeModel told = run(1).settings().pools().get(0).stepTime();
    StepTimeModel slowed = run(1.25).settings().pools().get(0).stepTime();
    StepShape shape = new StepShape();
    shape.addDecode(5000);
    shape.addDecode(70);
    assertThat((double) slowed.stepNanos(shape) / told.stepNanos(shape))
        .isBetween(1.25 - 1e-6, 1.25 + 1e-6);
    assertThat(slowed.requestNanos(100)).isEqualTo(told.requestNanos(100));
  }

  @Test
  void runsOfPassesAreTheLoopOverThem() throws IOException {
    StepTimeModel slowed = run(1.0731).settings().pools().get(0).stepTime();
    StepShape shape = new StepShape();
    shape.addDecode(5000);
    shape.addDecode(70);
    StepShape same = new StepShape();
    same.addDecode(5000);
    same.addDecode(70);
    long[] ends = new long[41];
    slowed.decodeRun(shape, 40, 17, ends, 1);
    long now = 17;
    for (int i = 1; i <= 40; i++) {
      now += slowed.stepNanos(same);
      same.advanceDecodes();
      assertThat(ends[i]).isEqualTo(now);
    }
  }

  @Test
  void aSlowedRunTakesLonger() throws IOException {
    long told = run(1).simulate(n -> {}).endNanos();
    assertThat(run(1.5).simulate(n -> {}).endNanos()).isGreaterThan(told * 4 / 3);
    assertThat(run(1).simulate(n -> {}).endNanos()).isEqualTo(told);
  }
}

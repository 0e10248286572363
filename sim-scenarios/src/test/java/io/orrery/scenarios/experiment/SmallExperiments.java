package io.orrery.scenarios.experiment;

import io.orrery.engine.scheduler.SchedulerSettings;
import io.orrery.scenarios.CommandLineSettings;
import io.orrery.scenarios.ScenarioLoader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;

/** Experiments on two traces of two requests each, written into a folder. */
final class SmallExperiments {
  /** Two requests whose sessions share a clock. */
  private static final String MOONCAKE =
      """
      {"timestamp": 0, "input_length": 1100, "output_length": 3, "hash_ids": [0, 1, 2]}
      {"timestamp": 500, "input_length": 1100, "output_length": 2, "hash_ids": [0, 1, 3]}
      """;

  /** Two sessions that each begin at 0. */
  private static final String WEKA =
      """
      {"id": "s1", "models": ["m"], "block_size": 64, "hash_id_scope": "local", "tool_tokens": 0, "system_tokens": 0, \
      "requests": [{"t": 0, "type": "s", "model": "m", "in": 128, "out": 2, "hash_ids": [1, 2], "api_time": 1, \
      "think_time": 0}]}
      {"id": "s2", "models": ["m"], "block_size": 64, "hash_id_scope": "local", "tool_tokens": 0, "system_tokens": 0, \
      "requests": [{"t": 0, "type": "s", "model": "m", "in": 128, "out": 2, "hash_ids": [1, 2], "api_time": 1, \
      "think_time": 0}]}
      """;

  private final Path folder;

  SmallExperiments(Path folder) throws IOException {
    this.folder = folder;
    Files.writeString(folder.resolve("clock.jsonl"), MOONCAKE);
    Files.writeString(folder.resolve("own.jsonl"), WEKA);
  }

  /** A scenario, and what the command line sets on top of it. */
  Experiment prepare(String yaml, String... assignments) {
    CommandLineSettings settings =
        new CommandLineSettings(List.of(assignments), OptionalLong.empty(), List.of(), folder);
    return Experiment.prepare(ScenarioLoader.parse(yaml, "s.yaml", folder, settings));
  }

  /** Of the trace whose sessions share a clock, in blocks of 512 tokens. */
  Experiment clock(String... assignments) {
    return prepare("trace: {files: clock.jsonl}\nengine: {blockSize: 512}\n", assignments);
  }

  /** Of the trace whose sessions have clocks of their own, in blocks of 64 tokens. */
  Experiment own(String... assignments) {
    return prepare("trace: {files: own.jsonl}\nengine: {blockSize: 64}\n", assignments);
  }

  /** What the first pool of the first run tells its schedulers. */
  static SchedulerSettings scheduler(Experiment experiment) {
    return experiment.runs().get(0).settings().pools().get(0).scheduler();
  }
}

package io.orrery.cli;

import io.orrery.scenarios.experiment.RunPreparation;
import io.orrery.scenarios.experiment.TraceOpener;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** {@code --threads}: how much this process simulates at once. */
final class ThreadsOption {
  @Option(
      names = "--threads",
      paramLabel = "N",
      description =
          "Simulations at once, and threads that parse a trace; by default as many as there are"
              + " processors.")
  private @Nullable Integer threads;

  /**
   * Simulations at once, at least 1.
   *
   * @throws UsageException if fewer are asked for
   */
  int atOnce() {
    if (threads == null) {
      return Runtime.getRuntime().availableProcessors();
    }
    if (threads < 1) {
      throw new UsageException("--threads: found " + threads + ", expected at least 1");
    }
    return threads;
  }

  /** Threads for each of so many simulations, when as many as may are under way. */
  int forEachOf(int simulations) {
    return Math.max(1, atOnce() / simulations);
  }

  /** What reads traces in this process. */
  TraceOpener traces() {
    return TraceOpener.local(atOnce());
  }

  /** What prepares runs in this process. */
  RunPreparation preparation() {
    return new RunPreparation(traces());
  }

  /**
   * Checks the option where other processes may do the work.
   *
   * @return simulations at once in this process
   * @throws UsageException if it is given and others do
   */
  int atOnce(EngineOptions engine) {
    int atOnce = atOnce();
    if (threads != null && !engine.isLocal()) {
      throw new UsageException("--threads: found " + threads + " with --engine spark");
    }
    return atOnce;
  }
}

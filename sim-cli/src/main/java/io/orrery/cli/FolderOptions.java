package io.orrery.cli;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** {@code -o} and {@code --force}: the folder that results are written into. */
final class FolderOptions {
  @Option(
      names = {"-o", "--output"},
      paramLabel = "DIR",
      description = "Write the results into this folder, too.")
  private @Nullable Path output;

  @Option(names = "--force", description = "Let -o use a folder that has other files; they stay.")
  private boolean force;

  /** The folder as it was asked for, null for none. */
  @Nullable Path path() {
    return output;
  }

  /**
   * Claims the folder, see {@link OutputFolder#claim}.
   *
   * @return null for none
   */
  @Nullable OutputFolder claim(List<String> names) {
    return output == null ? null : OutputFolder.claim(output, names, force);
  }

  /** Opens the folder of a sweep or plan, see {@link SweepFolder#open}. */
  SweepFolder openSweep() {
    return SweepFolder.open(output, force);
  }
}

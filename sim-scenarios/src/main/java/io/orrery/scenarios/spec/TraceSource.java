package io.orrery.scenarios.spec;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What to read and how. Variants with equal sources share one parsed trace.
 *
 * @param files files or folders, in order, resolved against the place that named them
 * @param format a trace format's name, or {@code auto}
 * @param blockSize tokens of a trace block; empty takes the file's or the format's own
 * @param map what the columns of files of no known format mean; empty where they have one
 * @param sharedSystemPrefix whether equal tool and system prompts of sessions with local hashes are
 *     one prefix
 */
public record TraceSource(
    List<Path> files,
    String format,
    OptionalInt blockSize,
    Optional<String> map,
    boolean sharedSystemPrefix) {
  /** A source of these files. */
  public TraceSource {
    files = List.copyOf(files);
  }
}

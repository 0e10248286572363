package io.orrery.scenarios.spec;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/**
 * What to read and how. Variants with equal sources share one parsed trace.
 *
 * @param places files or folders, in order: paths resolved against the place that named them, or
 *     what {@linkplain #isRemote lies elsewhere} as it was written
 * @param format a trace format's name, or {@code auto}
 * @param blockSize tokens of a trace block; empty takes the file's or the format's own
 * @param map what the columns of files of no known format mean; empty where they have one
 * @param sharedSystemPrefix whether equal tool and system prompts of sessions with local hashes are
 *     one prefix
 */
public record TraceSource(
    List<String> places,
    String format,
    OptionalInt blockSize,
    Optional<String> map,
    boolean sharedSystemPrefix) {
  private static final Pattern SCHEME = Pattern.compile("[a-z][a-z0-9+.-]+:/.*");

  /** A source of these files. */
  public TraceSource {
    places = List.copyOf(places);
  }

  /** The places as paths of this machine. */
  public List<Path> files() {
    return places.stream().map(Path::of).toList();
  }

  /** Whether a place names its file system, as {@code hdfs://node/traces/day.parquet} does. */
  public static boolean isRemote(String place) {
    return SCHEME.matcher(place.toLowerCase(Locale.ROOT)).matches();
  }
}

package io.orrery.traces;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Formats that are told from damage, to say so, but are not read. */
final class KnownFormats {
  private static final int LONGEST_HEADER = 1000;

  /** Keys of agentic Mooncake rows, which Mooncake's do not have. */
  private static final List<String> AGENTIC =
      List.of("wait_for", "branches", "dependencies", "tool_wait_ms", "play_id");

  private KnownFormats() {}

  /**
   * Refuses a table of comma-separated values by its header.
   *
   * @throws TraceException where the file is one
   */
  static void refuseTable(TraceFile file) throws IOException {
    String text;
    try (InputStream in = file.open()) {
      text = new String(in.readNBytes(LONGEST_HEADER), UTF_8);
    }
    String header = text.lines().findFirst().orElse("").toLowerCase(Locale.ROOT);
    String table = table(header.startsWith("\ufeff") ? header.substring(1) : header);
    if (table != null) {
      throw unread(file.name(), table);
    }
  }

  /** What the first object of a file is, where it is of a known format; null where it is not. */
  static @Nullable String object(Set<String> keys) {
    if (keys.contains("chat_id") && keys.contains("parent_chat_id")) {
      return "a Bailian trace";
    }
    return AGENTIC.stream().anyMatch(keys::contains) ? "an agentic Mooncake trace" : null;
  }

  /** The complaint about a file of such a format, at its first line. */
  static TraceException unread(String file, String format) {
    return new TraceException(
        file,
        1,
        "trace format",
        format + ", known but not read by this version",
        "one of the formats " + TraceFormat.names());
  }

  private static @Nullable String table(String header) {
    boolean names = header.matches("[a-z_\"][^{}\\[\\]]*,.*");
    if (!names) {
      return null;
    }
    if (header.contains("contexttokens")) {
      return "an Azure LLM inference trace (CSV)";
    }
    if (header.contains("request tokens")) {
      return "a BurstGPT trace (CSV)";
    }
    return header.contains("timestamp") ? "comma-separated values (CSV)" : null;
  }
}

package io.orrery.cli;

import io.orrery.reports.JsonText;
import io.orrery.reports.console.HumanUnits;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/**
 * Wall-clock figures of a command. They never enter a result: they go to {@code --timing} and to
 * the error stream.
 */
final class Timing {
  /** Set by the launcher: seconds of the epoch, with fraction, at which it was started. */
  private static final String STARTED = "orrery.started";

  private static final Path STATUS = Path.of("/proc/self/status");

  private final LongSupplier nanoTime;
  private final long started;

  /** From the launcher to this object; the only figure that needs the wall clock. */
  private final double launchMillis;

  private long loadNanos;
  private long replayNanos;
  private final List<Replay> replays = new ArrayList<>();

  /**
   * One run.
   *
   * @param nanos of its replay, without loading and reporting
   * @param requests that were sent
   */
  record Replay(String name, long nanos, long requests) {}

  Timing() {
    this(System::nanoTime, System::currentTimeMillis);
  }

  /**
   * Times by other clocks.
   *
   * @param nanoTime nanoseconds since some moment, never going back
   * @param wallMillis milliseconds of the epoch; read once
   */
  Timing(LongSupplier nanoTime, LongSupplier wallMillis) {
    this.nanoTime = nanoTime;
    this.started = nanoTime.getAsLong();
    this.launchMillis = launchMillis(wallMillis.getAsLong());
  }

  /** Everything is read and built. */
  void loaded() {
    loadNanos = nanoTime.getAsLong() - started;
  }

  /** All runs are replayed and summarised; several of them may have been at once. */
  void replayed(List<Replay> runs) {
    replayNanos = nanoTime.getAsLong() - started - loadNanos;
    replays.addAll(runs);
  }

  /** One line for people. */
  String line() {
    long requests = replays.stream().mapToLong(Replay::requests).sum();
    return HumanUnits.count(requests)
        + (requests == 1 ? " request" : " requests")
        + " replayed in "
        + HumanUnits.millis(replayNanos / 1e6)
        + ", "
        + HumanUnits.millis(wholeMillis())
        + " in all"
        + (peakBytes().isPresent()
            ? String.format(Locale.ROOT, ", %.0f MB", peakBytes().getAsLong() / 1e6)
            : "");
  }

  /** All figures as JSON. */
  String toJson() {
    Map<String, Object> root = new LinkedHashMap<>();
    root.put("schemaVersion", 1);
    root.put("load_ms", millis(loadNanos));
    root.put("replay_ms", millis(replayNanos));
    List<Object> runs = new ArrayList<>();
    for (Replay replay : replays) {
      Map<String, Object> run = new LinkedHashMap<>();
      run.put("name", replay.name());
      run.put("replay_ms", millis(replay.nanos()));
      run.put("requests", replay.requests());
      run.put("requests_per_s", Math.round(replay.requests() * 1e9 / Math.max(1, replay.nanos())));
      runs.add(run);
    }
    root.put("runs", runs);
    root.put("process_ms", Math.round(wholeMillis()));
    peakBytes().ifPresent(bytes -> root.put("peak_rss_bytes", bytes));
    return JsonText.of(root);
  }

  private static BigDecimal millis(long nanos) {
    return BigDecimal.valueOf(nanos, 6).setScale(3, RoundingMode.HALF_EVEN);
  }

  /** Since the launcher was started, or without it since this object was made. */
  private double wholeMillis() {
    return launchMillis + (nanoTime.getAsLong() - started) / 1e6;
  }

  private static double launchMillis(long now) {
    String launched = System.getProperty(STARTED, "").replace(',', '.');
    if (launched.matches("\\d{1,12}\\.\\d{1,9}")) {
      return Math.max(0, now - 1000 * Double.parseDouble(launched));
    }
    return 0;
  }

  /** Most memory that this process ever had; empty where the system does not tell. */
  private static OptionalLong peakBytes() {
    if (!Files.isReadable(STATUS)) {
      return OptionalLong.empty();
    }
    try {
      for (String line : Files.readAllLines(STATUS)) {
        if (line.startsWith("VmHWM:")) {
          String kilobytes = line.substring(6).strip().replace(" kB", "");
          return OptionalLong.of(1024 * Long.parseLong(kilobytes));
        }
      }
      return OptionalLong.empty();
    } catch (IOException | NumberFormatException e) {
      return OptionalLong.empty();
    }
  }
}

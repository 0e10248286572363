package io.orrery.scenarios.calibration;

import io.orrery.scenarios.measured.CsvTable;
import io.orrery.scenarios.profile.Profile;
import io.orrery.scenarios.text.Position;
import io.orrery.scenarios.text.ScenarioException;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/** Files of measurements: what they hold, by their first line, and their digest. */
public final class MeasurementFiles {
  private static final String EXPECTED =
      "a CSV of closed loops (columns tpot_ms, concurrency and so on) or measured requests"
          + " (first_token_ts and so on), one a line";

  private MeasurementFiles() {}

  /**
   * Whether a file holds closed loops; if not, it holds requests.
   *
   * @throws ScenarioException if it holds neither
   */
  public static boolean areClosedLoops(Path file) {
    Position position = Position.of(file.toString());
    if (!Files.isRegularFile(file)) {
      String found = Files.isDirectory(file) ? "a folder" : "no such file";
      throw new ScenarioException(position, "", found, EXPECTED);
    }
    String first;
    try (BufferedReader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      first = reader.readLine();
    } catch (IOException e) {
      throw new ScenarioException(
          position, "", "an unreadable file (" + e.getMessage() + ")", EXPECTED);
    }
    if (first == null) {
      throw new ScenarioException(position, "", "an empty file", EXPECTED);
    }
    if (first.contains(RequestFile.MARK)) {
      return false;
    }
    List<String> header = CsvTable.header(first);
    if (header.contains("tpot_ms") || header.contains("concurrency")) {
      return true;
    }
    throw new ScenarioException(
        new Position(file.toString(), 1, 1), "", "neither of the two kinds", EXPECTED);
  }

  /** The file as a source of a profile. */
  public static Profile.Source source(Path file, long rows) throws IOException {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
      return new Profile.Source(
          String.valueOf(file.getFileName()), HexFormat.of().formatHex(digest), rows);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}

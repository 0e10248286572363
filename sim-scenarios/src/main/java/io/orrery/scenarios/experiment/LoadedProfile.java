package io.orrery.scenarios.experiment;

import io.orrery.models.Deployment;
import io.orrery.scenarios.EffectiveConfig;
import io.orrery.scenarios.profile.Coefficient;
import io.orrery.scenarios.profile.Profile;
import io.orrery.scenarios.profile.ProfileReader;
import io.orrery.scenarios.text.ScenarioException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * A profile and the file that it came from.
 *
 * @param name the file's name, without its folder
 * @param sha256 digest of the file
 */
public record LoadedProfile(String name, String sha256, Profile profile) {
  private static final String KEY = "stepTime.profile";

  /**
   * Reads a profile.
   *
   * @throws ScenarioException if the file is none
   */
  static LoadedProfile read(Path file) {
    Profile profile = ProfileReader.read(file);
    return new LoadedProfile(String.valueOf(file.getFileName()), sha256(file), profile);
  }

  /** A file's digest in hexadecimal digits. */
  static String sha256(Path file) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
      return HexFormat.of().formatHex(digest);
    } catch (IOException e) {
      throw new UncheckedIOException(file + ": cannot be read", e);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /**
   * Refuses the profile of another engine, and kernel laws of another GPU.
   *
   * @throws ScenarioException if it does not fit
   */
  void requireFit(EffectiveConfig config, String engine, Deployment worker) {
    if (!profile.engine().equals(engine)) {
      throw config.refusal(
          KEY,
          name + ", a profile of engine " + profile.engine(),
          "one of " + engine + " (stepTime.kernels)");
    }
    Profile.Kernels kernels = profile.kernels();
    String gpu = worker.gpu().name();
    if (kernels != null && !kernels.gpu().equals(gpu)) {
      throw config.refusal(
          KEY, name + ", which has kernel laws of " + kernels.gpu(), "one with laws of " + gpu);
    }
  }

  /** What the user should know about it for such a worker, a sentence each. */
  List<String> notes(Deployment worker) {
    List<String> notes = new ArrayList<>();
    for (String constant : List.of("kernelMultiplier", "requestMillis")) {
      Coefficient coefficient = profile.host().get(constant);
      if (coefficient != null && coefficient.fit() != null) {
        Coefficient.Fit fit = coefficient.fit();
        notes.add(
            String.format(
                "Profile %s: %s fitted on %s to %s; held-out %s.",
                name,
                constant,
                fit.fittedOn(),
                String.join(", ", fit.from()),
                fit.heldOut().text()));
      }
    }
    other(notes, "model", profile.models(), worker.model().name());
    other(notes, "GPU", profile.gpus(), worker.gpu().name());
    return notes;
  }

  private void other(List<String> notes, String what, List<String> measured, String used) {
    if (!measured.isEmpty() && !measured.contains(used)) {
      notes.add(
          String.format(
              "Profile %s was fitted to %s %s; its constants are taken for %s as they are (low"
                  + " confidence).",
              name, what, String.join(", ", measured), used));
    }
  }
}

package io.orrery.cli;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The secret that hashes of names depend on. */
final class Salt {
  private static final int BYTES = 32;

  @Option(
      names = "--salt",
      paramLabel = "TEXT",
      description = {
        "Secret that the hashes depend on, so that several traces get equal names; by default a"
            + " random one that is thrown away."
      })
  private @Nullable String text;

  byte[] bytes() {
    if (text == null) {
      byte[] random = new byte[BYTES];
      new SecureRandom().nextBytes(random);
      return random;
    }
    if (text.isEmpty()) {
      throw new UsageException("--salt: found nothing, expected a text");
    }
    return text.getBytes(StandardCharsets.UTF_8);
  }
}

package io.orrery.scenarios.schema;

import io.orrery.scenarios.text.YamlNode;
import io.orrery.scenarios.text.YamlReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * Dated engine presets: one file per preset under {@code presets/}, a partial scenario with a
 * source per value. What a preset leaves out has no effect on its engine. Add one by writing the
 * file and its name here.
 */
public final class EnginePreset {
  /** The first is the default. */
  private static final String[] NAMES = {
    "vllm-2026-07", "vllm-2026-05", "sglang-2026-07", "trtllm-2026-07"
  };

  private EnginePreset() {}

  /** The presets' names, the default first. */
  public static String[] names() {
    return NAMES.clone();
  }

  /** The preset's keys. */
  public static YamlNode read(String name) {
    String resource = "presets/" + name + ".yaml";
    return YamlReader.parse(resourceText(resource), resource);
  }

  private static String resourceText(String resource) {
    String path = "/io/orrery/scenarios/" + resource;
    try (InputStream in =
        Objects.requireNonNull(EnginePreset.class.getResourceAsStream(path), path)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

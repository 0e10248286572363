package io.orrery.models.kernels;

import io.orrery.models.Names;
import java.util.Arrays;

/** Whose kernels: the engine and its version, as the measured tables name them. */
public enum KernelFamily {
  /** vLLM 0.24.0. */
  VLLM("vllm", "0.24.0"),
  /** TensorRT-LLM 1.3.0rc20. */
  TRTLLM("trtllm", "1.3.0rc20");

  private final String engine;
  private final String version;

  KernelFamily(String engine, String version) {
    this.engine = engine;
    this.version = version;
  }

  /**
   * The family of that engine: vllm or trtllm.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static KernelFamily of(String engine) {
    for (KernelFamily family : values()) {
      if (family.engine.equals(engine)) {
        return family;
      }
    }
    throw new IllegalArgumentException(
        Names.unknown(
            "kernel family", engine, Arrays.stream(values()).map(f -> f.engine).toList()));
  }

  /** Folder of the engine's tables. */
  public String engine() {
    return engine;
  }

  /** Folder of the version's tables. */
  public String version() {
    return version;
  }

  @Override
  public String toString() {
    return engine + " " + version;
  }
}

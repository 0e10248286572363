package io.orrery.models.kernels;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Measured tables that must not be used, and why. Found by comparing tables with one another and
 * with their collectors' sources.
 */
final class TableDefects {
  private record Defect(
      KernelFamily family, List<String> systems, String table, KernelType type, String reason) {}

  private static final List<Defect> KNOWN =
      List.of(
          new Defect(
              KernelFamily.VLLM,
              List.of(),
              "gemm",
              KernelType.FP8_BLOCK,
              "collected without CUDA graphs, so that launches of 70 to 200 us hide the kernel"
                  + " (collector/vllm/collect_gemm.py:247)"),
          new Defect(
              KernelFamily.VLLM,
              List.of("h100_sxm", "h200_sxm"),
              "moe",
              KernelType.FP8,
              "about five times slower than fp8_block and bfloat16 at the same shape"));

  private TableDefects() {}

  /** Why a format of a table must not be used, null if it may. */
  static @Nullable String reason(
      KernelFamily family, String system, String table, KernelType type) {
    for (Defect defect : KNOWN) {
      if (defect.family == family
          && defect.table.equals(table)
          && defect.type == type
          && (defect.systems.isEmpty() || defect.systems.contains(system))) {
        return defect.reason;
      }
    }
    return null;
  }
}

package io.orrery.models.kernels;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.orrery.models.Catalog;
import io.orrery.models.Gpu;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The measured tables that {@code -Dorrery.data} names; tests that need them are skipped without.
 */
final class PerformanceFolder {
  private PerformanceFolder() {}

  static Path data() {
    Path data = Path.of(System.getProperty("orrery.data", "absent"));
    assumeTrue(
        Files.isDirectory(data.resolve("perf/systems")),
        () -> "skipped: no " + data + "/perf/systems, -Dorrery.data=DIR names DIR");
    return data;
  }

  static PerformanceData of(String gpu) {
    return PerformanceData.open(data(), gpu(gpu));
  }

  static Gpu gpu(String name) {
    return Catalog.bundled().gpu(name);
  }
}

package io.orrery.models;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** The numbers of the worked example in docs/step-time.md. */
class DocumentedExampleTest {
  private static final Catalog CATALOG = Catalog.bundled();
  private final Deployment worker =
      new Deployment(
          CATALOG.model("minimax-m2"), CATALOG.gpu("b200"), 2, 1, Precision.NVFP4, Precision.FP8);
  private final RooflineStepTime model = new RooflineStepTime(worker, 8192, 0, false);
  private final StepShape shape = new StepShape();

  private static void assertDocumented(String format, Object... values) throws IOException {
    String page = Files.readString(Path.of("docs", "step-time.md"));
    assertThat(page).contains(String.format(Locale.ROOT, format, values));
  }

  private static double millis(double seconds) {
    return seconds * 1e3;
  }

  @Test
  void memory() throws IOException {
    MemoryFootprint memory =
        MemoryFootprint.of(
            worker,
            CATALOG.memoryRules().engine("vllm-2026-07"),
            OptionalDouble.empty(),
            8192,
            1024);
    MemoryFootprint.Stage stage = memory.tightestStage();
    assertDocumented("| all, 191.5e9 | %,d |", worker.gpu().memoryBytes());
    assertDocumented("| unused | %,d |", memory.unusedBytes(stage));
    assertDocumented("| weights | %,d |", stage.weightBytes());
    assertDocumented("| activations | %,d |", memory.activationBytes());
    assertDocumented("| reserve | %,d |", memory.reserveBytes());
    assertDocumented("| KV cache | %,d |", stage.kvBytes());
    assertDocumented("%,d tokens, or %,d blocks of 64", memory.kvTokens(), memory.kvBlocks(64));
  }

  @Test
  void decode() throws IOException {
    double bandwidth = worker.gpu().hbmBytesPerSecond();
    for (Operator operator : model.operators()) {
      assertDocumented(
          "| %s | %.4f | %.4f |",
          operator.name(),
          millis(operator.computeSeconds(64)),
          millis(operator.fetchedBytes(64) / bandwidth));
    }
    assertDocumented(
        "| logits | %.4f | %.4f |",
        millis(model.logits().computeSeconds(64)),
        millis(model.logits().fetchedBytes(64) / bandwidth));
    for (int i = 0; i < 64; i++) {
      shape.addDecode(32_768);
    }
    assertDocumented("**%.4f ms** for 64 decodes", model.stepNanos(shape) / 1e6);
    shape.clear();
    shape.addDecode(32_768);
    assertDocumented("**%.4f ms** for a single one", model.stepNanos(shape) / 1e6);
  }

  @Test
  void coldPrompt() throws IOException {
    long total = 0;
    for (int chunk = 0; chunk < 4; chunk++) {
      shape.clear();
      shape.addPrefill(8192, 8192 * chunk);
      long nanos = model.stepNanos(shape);
      total += nanos;
      assertDocumented("| %d | %,d | %.3f |", chunk + 1, 8192 * chunk, nanos / 1e6);
    }
    assertDocumented("**%.3f ms**", total / 1e6);
  }
}

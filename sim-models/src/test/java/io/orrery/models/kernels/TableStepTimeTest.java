package io.orrery.models.kernels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.models.Catalog;
import io.orrery.models.Deployment;
import io.orrery.models.ModelArchitecture;
import io.orrery.models.Precision;
import io.orrery.models.RooflineStepTime;
import io.orrery.models.StepShape;
import io.orrery.models.StepTimeModels;
import io.orrery.models.StepTimeSetup;
import io.orrery.parquet.ParquetException;
import io.orrery.parquet.ParquetTable;
import io.orrery.parquet.ParquetWriter;
import io.orrery.parquet.WriteOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The kind {@code table}: complete for every model where there are tables, and never too fast. */
class TableStepTimeTest {
  private static final Catalog CATALOG = Catalog.bundled();

  private static OperatorStepTime table(Deployment worker, Path folder, String kernels) {
    return (OperatorStepTime)
        StepTimeModels.compile(
            "table",
            new StepTimeSetup(
                worker,
                CATALOG,
                4096,
                Map.of("perfData", folder.toString(), "kernels", kernels, "host", "none")));
  }

  @ParameterizedTest
  @CsvSource({"b200, vllm", "b200, trtllm", "h100, vllm", "h200, trtllm", "rtx-pro-6000, vllm"})
  void everyModelIsTimedAndNeverFasterThanTheHardware(String gpu, String kernels) {
    Path folder = PerformanceFolder.data().resolve("perf/systems");
    int turn = 0;
    for (String name : CATALOG.modelNames()) {
      ModelArchitecture model = CATALOG.model(name);
      for (Precision weights : new Precision[] {Precision.BF16, Precision.FP8, Precision.NVFP4}) {
        turn++;
        int ranks = model.isMixtureOfExperts() && turn % 2 == 0 ? 4 : 1;
        Precision kv = turn % 3 == 0 ? Precision.BF16 : Precision.FP8;
        Deployment worker =
            new Deployment(model, CATALOG.gpu(gpu), 4, 1, ranks, ranks, 0, weights, kv);
        OperatorStepTime table = table(worker, folder, kernels);
        RooflineStepTime roofline = new RooflineStepTime(worker, 1, 0, false);
        SplittableRandom random = new SplittableRandom(turn);
        for (int trial = 0; trial < 30; trial++) {
          StepShape shape = randomShape(random);
          assertThat(table.stepNanos(shape) + 0.5)
              .as("%s", worker)
              .isGreaterThanOrEqualTo(roofline.boundNanos(shape));
        }
      }
    }
  }

  private static StepShape randomShape(SplittableRandom random) {
    StepShape shape = new StepShape();
    shape.addDecode(1 + random.nextInt(100_000));
    for (int i = random.nextInt(3); i > 0; i--) {
      shape.addPrefill(1 + random.nextInt(8192), random.nextInt(50_000));
    }
    for (int i = random.nextInt(300); i > 0; i--) {
      shape.addDecode(1 + random.nextInt(100_000));
    }
    return shape;
  }

  private static Deployment llama() {
    return new Deployment(
        CATALOG.model("llama-3.1-8b"), CATALOG.gpu("b200"), 1, 1, Precision.BF16, Precision.BF16);
  }

  /** The first table is there, without its times; the next is not. */
  @Test
  void whatIsMissingIsNamed(@TempDir Path folder) throws IOException {
    Path gemm = folder.resolve("data/b200_sxm/gemm/vllm/0.24.0/gemm_perf.parquet");
    Files.createDirectories(gemm.getParent());
    write(gemm, false);
    assertThatThrownBy(() -> table(llama(), folder, "vllm"))
        .isInstanceOf(ParquetException.class)
        .hasMessageContaining("gemm_perf.parquet")
        .hasMessageContaining("latency");
    write(gemm, true);
    assertThatThrownBy(() -> table(llama(), folder, "vllm"))
        .isInstanceOf(MissingKernelException.class)
        .hasMessageEndingWith("context_attention_perf.parquet: no such table");
    assertThatThrownBy(() -> table(llama(), folder, "trtllm"))
        .isInstanceOf(MissingKernelException.class)
        .hasMessageContaining("no such table");
  }

  private static void write(Path file, boolean timed) {
    String latency = timed ? "latency" : "duration";
    ParquetTable table =
        ParquetTable.builder()
            .strings("gemm_dtype", new String[] {"bfloat16"})
            .ints("m", new int[] {1})
            .ints("n", new int[] {1024})
            .ints("k", new int[] {1024})
            .doubles(latency, new double[] {0.01})
            .build();
    ParquetWriter.writeTable(file, table, WriteOptions.of("test"));
  }
}

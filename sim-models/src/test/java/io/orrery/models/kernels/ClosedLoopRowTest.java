package io.orrery.models.kernels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Measured closed loops are read with file, line and column of whatever makes no sense. */
final class ClosedLoopRowTest {
  private static final String HEADER =
      "system,model,engine,engine_version,gemm_quant,moe_quant,isl,osl,concurrency,tp,pp,"
          + "attention_dp,moe_ep,ttft_ms,tpot_ms\n";
  private static final String ROW = "h100_sxm,m,vllm,,fp8,fp8,1024,512,8,2,1,1,1,187.2,24.5\n";

  @TempDir private Path folder;

  private Path file(String text) throws IOException {
    return Files.writeString(folder.resolve("loops.csv"), text);
  }

  @Test
  void aRowIsTakenAsItStands() throws IOException {
    assertThat(ClosedLoopRow.read(file(HEADER + ROW)))
        .containsExactly(
            new ClosedLoopRow(
                "h100_sxm", "m", "vllm", "", "fp8", "fp8", 1024, 512, 8, 2, 1, 1, 1, 187.2, 24.5));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        ",1024, | ,1e9, | isl: found '1e9', expected a whole number from 1 up",
        ",512,8, | ,512,3.5, | concurrency: found '3.5', expected a whole number from 1 up",
        ",8,2, | ,8,0, | tp: found '0', expected a whole number from 1 up",
        "187.2 | 1e400 | ttft_ms: found '1e400', expected milliseconds, above 0 and at most a day",
        "187.2 | NaN | ttft_ms: found 'NaN', expected milliseconds, above 0 and at most a day",
        "24.5 | -1 | tpot_ms: found '-1', expected milliseconds, above 0 and at most a day",
        "24.5 | fast | tpot_ms: found 'fast', expected milliseconds, above 0 and at most a day",
        ",24.5 | '' | 14 fields, expected 15, as in the header",
      })
  void whatMakesNoSenseIsNamed(String from, String to, String message) throws IOException {
    Path file = file(HEADER + ROW + ROW.replace(from, to));
    assertThatThrownBy(() -> ClosedLoopRow.read(file))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(file + ":3: " + message);
  }

  @Test
  void aMissingColumnIsNamed() throws IOException {
    Path file = file(HEADER.replace("tpot_ms", "tpot") + ROW);
    assertThatThrownBy(() -> ClosedLoopRow.read(file))
        .hasMessage(file + ":1: tpot_ms: no such column");
  }

  @Test
  void aHeaderAloneIsNoMeasurement() throws IOException {
    Path file = file(HEADER);
    assertThatThrownBy(() -> ClosedLoopRow.read(file))
        .hasMessage(file + ": no rows, expected a header and at least one");
  }
}

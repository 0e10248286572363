package io.orrery.scenarios.measured;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.models.Catalog;
import io.orrery.scenarios.text.ScenarioException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Measured closed loops are read with file, line and column of whatever makes no sense. */
final class ClosedLoopFileTest {
  private static final String HEADER =
      "system,model,engine,engine_version,gemm_quant,moe_quant,isl,osl,concurrency,tp,pp,"
          + "attention_dp,moe_ep,ttft_ms,tpot_ms\n";
  private static final String ROW =
      "h100_sxm,meta-llama/Llama-3.1-70B,vllm,,fp8,fp8,1024,512,8,2,1,1,1,187.2,24.5\n";

  @TempDir private Path folder;

  private Path file(String text) throws IOException {
    return Files.writeString(folder.resolve("loops.csv"), text);
  }

  private static List<ClosedLoopRow> read(Path file) throws IOException {
    return ClosedLoopFile.read(file, Catalog.bundled());
  }

  @Test
  void aRowIsTakenAsItStandsAndWasMeasuredOnce() throws IOException {
    Path file = file(HEADER + ROW);
    assertThat(read(file))
        .containsExactly(
            new ClosedLoopRow(
                file.toString(),
                2,
                "h100_sxm",
                "meta-llama/Llama-3.1-70B",
                "vllm",
                "",
                "fp8",
                "fp8",
                1024,
                512,
                8,
                2,
                1,
                1,
                1,
                187.2,
                24.5,
                1,
                Double.NaN,
                Double.NaN));
  }

  @Test
  void columnsStandInAnyOrderQuotedOrNot() throws IOException {
    List<ClosedLoopRow> plain = read(file(HEADER + ROW));
    String turned = "tpot_ms ,\"system\"," + HEADER.replace("system,", "").replace(",tpot_ms", "");
    Path file =
        file(turned + "24.5 ,\"h100_sxm\"," + ROW.replace("h100_sxm,", "").replace(",24.5", ""));
    assertThat(read(file)).isEqualTo(plain);
  }

  @Test
  void repeatsTellHowFarTheyDiffer() throws IOException {
    Path file =
        file(HEADER.replace("\n", ",repeats,tpot_spread\n") + ROW.replace("\n", ",3,0.04\n"));
    ClosedLoopRow row = read(file).get(0);
    assertThat(row.repeats()).isEqualTo(3);
    assertThat(row.tpotSpread()).isEqualTo(0.04);
    assertThat(row.ttftSpread()).isNaN();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        ",1024, | ,1e9, | isl: found \"1e9\", expected a whole number of at least 1",
        ",512,8, | ,512,3.5, | concurrency: found \"3.5\", expected a whole number of at least 1",
        ",8,2, | ,8,0, | tp: found \"0\", expected a whole number of at least 1",
        "187.2 | 1e400 | ttft_ms: found \"1e400\", expected a number",
        "187.2 | 9e7 | ttft_ms: found \"9e7\", expected a number above 0 and at most 86,400,000",
        "24.5 | -1 | tpot_ms: found \"-1\", expected a number above 0 and at most 86,400,000",
        "24.5 | fast | tpot_ms: found \"fast\", expected a number",
        ",24.5 | '' | found 14 fields, expected 15, as in the header",
      })
  void whatMakesNoSenseIsNamed(String from, String to, String message) throws IOException {
    Path file = file(HEADER + ROW + ROW.replace(from, to));
    assertThatThrownBy(() -> read(file))
        .isInstanceOf(ScenarioException.class)
        .hasMessage(file + ":3: " + message);
  }

  @Test
  void aMissingColumnIsNamed() throws IOException {
    Path file = file(HEADER.replace("tpot_ms", "tpot") + ROW);
    assertThatThrownBy(() -> read(file))
        .hasMessageContaining(file + ":1: tpot_ms: found no such column")
        .hasMessageContaining(file + ":1: tpot: found an unknown column");
  }

  @Test
  void aHeaderAloneIsNoMeasurement() throws IOException {
    Path file = file(HEADER);
    assertThatThrownBy(() -> read(file))
        .hasMessage(file + ": found no rows, expected a header and at least one row");
  }
}

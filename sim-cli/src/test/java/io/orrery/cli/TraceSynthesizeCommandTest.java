package io.orrery.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.Orrery.Outcome;
import io.orrery.traces.Trace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code orrery trace synthesize} makes, from what, and what it refuses. */
class TraceSynthesizeCommandTest {
  @TempDir Path folder;

  private TraceFolder files;

  @BeforeEach
  void write() throws IOException {
    files = new TraceFolder(folder);
  }

  @Test
  void synthesizeLikeATraceSaysHowAlikeTheyAre() throws IOException {
    files.run("trace convert @small.jsonl --block-size 64 -o @t.parquet").succeeded();

    Outcome text =
        files
            .run("trace synthesize --like @t.parquet -o @made.parquet --save-profile @profile.json")
            .succeeded();
    assertThat(text.out()).contains("KS distance", "input tokens", "Hit curves are ");
    assertThat(text.err()).contains("wrote " + files.in("made.parquet") + " (orrery): 40 requests");
    byte[] first = Files.readAllBytes(folder.resolve("made.parquet"));
    JsonNode quality =
        files.run("trace synthesize --like @t.parquet -o @made.parquet --json").json();
    assertThat(quality.at("/kolmogorov_smirnov/turns").doubleValue()).isZero();
    assertThat(quality.at("/kolmogorov_smirnov/input_tokens").doubleValue()).isBetween(0.0, 0.3);
    assertThat(quality.at("/hit_curve_distance_max").doubleValue()).isBetween(0.0, 0.2);
    assertThat(Files.readAllBytes(folder.resolve("made.parquet"))).isEqualTo(first);
    files
        .run(
            "trace synthesize --profile @profile.json --sessions 7 --rate 2 --burstiness 2"
                + " --diurnal 0.5 -o @seven.parquet")
        .succeeded();
    assertThat(files.trace("seven.parquet").sessionCount()).isEqualTo(7);
  }

  @Test
  void synthesizeDrawsFromClientsOfServeGen() {
    files
        .run("trace synthesize --servegen traces/samples/servegen --requests 300 -o @s.parquet")
        .succeeded();

    Trace trace = files.trace("s.parquet");
    assertThat(trace.requestCount()).isEqualTo(300);
    assertThat(trace.blocksKnown()).isFalse();
    Outcome both =
        files.run(
            "trace synthesize --servegen traces/samples/servegen --profile chat -o @no.parquet");
    assertThat(both.status()).isEqualTo(2);
    assertThat(both.err()).contains("expected one of --profile, --like and --servegen");
    assertThat(files.run("trace synthesize --servegen @nowhere -o @no.parquet").status())
        .isEqualTo(3);
    assertThat(folder.resolve("no.parquet")).doesNotExist();
  }

  @Test
  void synthesizeRefusesWhatCannotBe() throws IOException {
    Files.writeString(folder.resolve("p.json"), "{}");
    List<String> wrong =
        List.of(
            "--sessions 5",
            "--profile chat",
            "--profile chatt --sessions 5",
            "--profile @p.json --sessions 5",
            "--profile chat --like @small.jsonl --sessions 5",
            "--servegen traces/samples/servegen --sessions 5",
            "--servegen traces/samples/servegen --rate 1 --diurnal 0.5",
            "--profile chat --sessions 0",
            "--profile chat --sessions 5 --rate 0",
            "--profile chat --sessions 5 --diurnal 0.5",
            "--profile chat --sessions 5 --rate 1 --burstiness 0.5");
    for (String options : wrong) {
      Outcome outcome = files.run("trace synthesize -o @no.parquet " + options);
      assertThat(outcome.status()).as(options).isEqualTo(2);
      assertThat(outcome.err()).hasLineCount(1);
    }
    assertThat(folder.resolve("no.parquet")).doesNotExist();
  }
}

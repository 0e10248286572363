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
            "--profile chat --sessions 5 --rate 1 --burstiness 0.5",
            "--profile chat --sessions 5 --rate 1 --burstiness 1e9",
            "--profile chat --sessions 5 --json",
            "--profile chat --sessions 5 --block-size 16",
            "--servegen traces/samples/servegen --format mooncake",
            "--profile chat --sessions 5 -o @no.jsonl");
    for (String options : wrong) {
      String output = options.contains("-o") ? "" : "-o @no.parquet ";
      Outcome outcome = files.run("trace synthesize " + output + options);
      assertThat(outcome.status()).as(options).isEqualTo(2);
      assertThat(outcome.err()).hasLineCount(1);
    }
    assertThat(folder.resolve("no.parquet")).doesNotExist();
  }

  /** Of any format, in any number of files, as all commands read them. */
  @Test
  void synthesizeReadsWhatOtherCommandsRead() throws IOException {
    String columns = "session=user,timestamp=ts:s,input=prompt_tokens,output=completion_tokens";
    String table = "--like traces/samples/table.csv --requests 50 --map " + columns;
    assertThat(files.run("trace synthesize -o @a.parquet " + table).succeeded().err())
        .contains("50 requests");

    String both =
        "trace synthesize --like traces/samples/weka.jsonl --like @more.jsonl -o @b.parquet";
    Files.writeString(
        folder.resolve("more.jsonl"),
        Files.readString(Path.of("traces/samples/weka.jsonl"))
            .replace("\"id\":\"p\"", "\"id\":\"q\""));
    assertThat(files.run(both).succeeded().err()).contains("in 4 sessions");
  }

  /** However often sessions start, or seldom. */
  @Test
  void synthesizeTakesAnyRateAndSize() {
    String chat = "trace synthesize -o @any.parquet --profile chat ";
    for (String rate : List.of("1e-6", "1e9", "1e300")) {
      assertThat(files.run(chat + "--requests 10 --rate " + rate).succeeded().err())
          .contains("10 requests");
    }
    String one = "trace synthesize --profile claude-code --requests 1 -o @one.parquet";
    assertThat(files.run(one).succeeded().err()).contains("1 request in 1 session");
    Outcome seldom = files.run(chat + "--sessions 9 --rate 1e-30");
    assertThat(seldom.status()).isEqualTo(3);
    assertThat(seldom.err()).contains("found times beyond the clock").hasLineCount(1);
  }
}

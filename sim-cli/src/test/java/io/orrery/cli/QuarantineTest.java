package io.orrery.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.orrery.cli.Orrery.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code --quarantine} of commands that simulate: what cannot be read does not end a run. */
class QuarantineTest {
  private static final String BROKEN =
      "{\"timestamp\": -5, \"input_length\": 64, \"output_length\": 1}";

  @TempDir Path folder;

  private TraceFolder files;

  /** {@code bad.jsonl}: the small trace, with a record behind it that cannot be read. */
  @BeforeEach
  void write() throws IOException {
    files = new TraceFolder(folder);
    Files.writeString(
        folder.resolve("bad.jsonl"),
        Files.readString(folder.resolve("small.jsonl")) + BROKEN + "\n");
    scenario("s.yaml", "");
  }

  private void scenario(String name, String variants) throws IOException {
    Files.writeString(
        folder.resolve(name),
        "trace: {files: bad.jsonl, blockSize: 64}\nengine: {blockSize: 64}\n" + variants);
  }

  private List<JsonNode> aside() throws IOException {
    List<JsonNode> records = new ArrayList<>();
    for (String line : Files.readAllLines(folder.resolve("aside"))) {
      records.add(new ObjectMapper().readTree(line));
    }
    return records;
  }

  @Test
  void aRunGoesOnWithoutThem() throws IOException {
    assertThat(files.run("run @s.yaml").status()).isEqualTo(3);

    Outcome outcome = files.run("run @s.yaml --quarantine @aside --json").succeeded();

    assertThat(outcome.err()).startsWith("1 record kept aside in " + files.in("aside") + ".\n");
    assertThat(aside()).hasSize(1);
    assertThat(aside().get(0).get("line").intValue()).isEqualTo(41);
    assertThat(aside().get(0).get("text").textValue()).isEqualTo(BROKEN);
    JsonNode document = outcome.json();
    assertThat(document.at("/runs/0/summary/requests/completed").intValue()).isEqualTo(40);
    assertThat(
            document
                .at("/traces/0/counters/records left out because they cannot be read")
                .intValue())
        .isEqualTo(1);
    assertThat(document.at("/assumptions").toString())
        .contains("\"Trace: records left out because they cannot be read: 1.\"");
  }

  @Test
  void aRunOfAGoodTraceIsTheSameWithIt() throws IOException {
    String plain = "run --trace @small.jsonl --set trace.blockSize=64 --json";

    Outcome outcome = files.run(plain + " --quarantine @aside").succeeded();

    assertThat(outcome.out()).isEqualTo(files.run(plain).succeeded().out());
    assertThat(outcome.err()).startsWith("0 records kept aside in ");
    assertThat(folder.resolve("aside")).isEmptyFile();
  }

  @Test
  void variantsAndSeedsKeepEachRecordOnce() throws IOException {
    scenario(
        "two.yaml",
        "variants:\n"
            + "  - {name: a, set: {routing.policy: random}}\n"
            + "  - {name: b, set: {routing.policy: round-robin}}\n");

    Outcome outcome = files.run("run @two.yaml --seeds 2 --quarantine @aside --json").succeeded();

    assertThat(aside()).hasSize(1);
    assertThat(outcome.json().at("/traces")).hasSize(1);
  }

  /** In blocks of 128 tokens the last record names one too many. */
  @Test
  void whatOneVariantAloneCannotReadStandsBehindWhatNoneCan() throws IOException {
    Files.writeString(
        folder.resolve("bad.jsonl"),
        BROKEN
            + "\n{\"timestamp\": 0, \"input_length\": 64, \"output_length\": 1, \"hash_ids\": [1]}"
            + "\n{\"timestamp\": 5, \"input_length\": 128, \"output_length\": 1, \"hash_ids\": [1, 2]}");
    scenario(
        "sizes.yaml", "variants:\n  - {name: a}\n  - {name: b, set: {trace.blockSize: 128}}\n");

    Outcome outcome = files.run("run @sizes.yaml --quarantine @aside --json").succeeded();

    assertThat(aside()).extracting(record -> record.get("line").intValue()).containsExactly(1, 3);
    assertThat(outcome.json().at("/runs/0/summary/requests/completed").intValue()).isEqualTo(2);
    assertThat(outcome.json().at("/runs/1/summary/requests/completed").intValue()).isEqualTo(1);
  }

  @Test
  void aTraceOfNothingElseIsStillAnError() throws IOException {
    Files.writeString(folder.resolve("bad.jsonl"), BROKEN + "\n");

    Outcome outcome = files.run("run @s.yaml --quarantine @aside");

    assertThat(outcome.status())
        .isEqualTo(files.run("trace stats @bad.jsonl --quarantine @aside").status())
        .isEqualTo(3);
    assertThat(folder.resolve("aside")).doesNotExist();
  }

  @Test
  void gatesAreHeldAgainstTheRest() throws IOException {
    String check = "check @s.yaml --baseline @b.json";
    assertThat(files.run(check + " --update-baseline").status()).isEqualTo(3);
    files.run(check + " --update-baseline --quarantine @aside").succeeded();

    Outcome outcome = files.run(check + " --quarantine @aside").succeeded();

    assertThat(outcome.err()).contains("1 record kept aside in " + files.in("aside"));
    assertThat(files.run(check + " --quarantine @aside --quiet").err()).isEmpty();
    assertThat(aside()).hasSize(1);
  }
}

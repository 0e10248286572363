package io.orrery.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.orrery.cli.Orrery.Outcome;
import io.orrery.traces.Trace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code orrery trace validate} finds, and what becomes of records that cannot be read. */
class TraceValidateCommandTest {
  @TempDir Path folder;

  private TraceFolder files;

  @BeforeEach
  void write() throws IOException {
    files = new TraceFolder(folder);
  }

  @Test
  void validateNamesEveryFindingWithItsPlace() throws IOException {
    String text = Files.readString(folder.resolve("small.jsonl"));
    Path bad = folder.resolve("bad.jsonl");
    Files.writeString(
        bad,
        text
            + "{\"timestamp\": \"soon\", \"input_length\": 64, \"output_length\": 1}\n"
            + "{\"timestamp\": 5, \"input_length\": 0, \"output_length\": 1}\n"
            + "{\"timestamp\": 6, \"input_length\": 64, \"output_length\": 0, \"hash_ids\": [1]}\n");

    Outcome outcome = files.run("trace validate @bad.jsonl --block-size 64");

    assertThat(outcome.status()).isEqualTo(3);
    String unwrapped = outcome.out().replace("\n  ", " ");
    assertThat(unwrapped)
        .contains("error: " + bad + ":41:timestamp: found the string \"soon\"")
        .contains("error: " + bad + ":42:input_length: found 0")
        .contains("warning: " + bad + ":43: requests without output, replayed as one token")
        .contains("mooncake, 41 requests in 11 sessions: 2 errors, ");
  }

  @Test
  void strictRefusesWarningsAndPlainDoesNot() throws IOException {
    Path odd = folder.resolve("odd.jsonl");
    Files.writeString(odd, "{\"timestamp\": 6, \"input_length\": 64, \"output_length\": 0}\n");

    assertThat(files.run("trace validate @odd.jsonl").status()).isZero();
    assertThat(files.run("trace validate @odd.jsonl --strict").status()).isEqualTo(1);
    assertThat(files.run("trace validate @nowhere").status()).isEqualTo(3);
    JsonNode document = files.run("trace validate @odd.jsonl --json").json();
    assertThat(document.at("/errors").intValue()).isZero();
    assertThat(document.at("/warnings").intValue()).isPositive();
    assertThat(document.at("/findings/0/line").intValue()).isEqualTo(1);
  }

  @Test
  void badRecordsAreKeptAsideAndCounted() throws IOException {
    Path bad = folder.resolve("bad.jsonl");
    String broken = "{\"timestamp\": -5, \"input_length\": 64, \"output_length\": 1}";
    Files.writeString(bad, Files.readString(folder.resolve("small.jsonl")) + broken + "\n");

    Outcome outcome =
        files.run("trace convert @bad.jsonl --block-size 64 --quarantine @aside -o @good.parquet");

    assertThat(outcome.succeeded().err()).contains("1 record kept aside in " + files.in("aside"));
    JsonNode aside = new ObjectMapper().readTree(Files.readString(folder.resolve("aside")));
    assertThat(aside.get("line").intValue()).isEqualTo(41);
    assertThat(aside.get("text").textValue()).isEqualTo(broken);
    assertThat(aside.get("why").textValue()).contains("timestamp");
    Trace good = files.trace("good.parquet");
    assertThat(good.requestCount()).isEqualTo(40);
    assertThat(good.provenance().counters())
        .containsEntry("records left out because they cannot be read", 1L);
    Outcome validated = files.run("trace validate @bad.jsonl --block-size 64 --quarantine @aside");
    assertThat(validated.status()).isZero();
    // once: the error is the record
    assertThat(validated.out())
        .contains("error: ")
        .doesNotContain("left out")
        .endsWith("mooncake, 40 requests in 10 sessions: 1 error, 0 warnings, 0 notes\n");
    assertThat(
            files
                .run("trace validate @bad.jsonl --block-size 64 --quarantine @aside --strict")
                .status())
        .isEqualTo(1);
  }
}

package io.orrery.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.Orrery.Outcome;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code orrery trace} shows, and what it says without a subcommand. */
class TraceCommandsTest {
  @TempDir Path folder;

  private TraceFolder files;

  @BeforeEach
  void write() throws IOException {
    files = new TraceFolder(folder);
  }

  @Test
  void headShowsRequestsAsTheyAreUnderstood() throws IOException {
    Outcome outcome = files.run("trace head @small.jsonl --block-size 64 -n 3");

    assertThat(outcome.succeeded().out().lines()).hasSize(4);
    JsonNode head = files.run("trace head @small.jsonl --block-size 64 -n 40 --json").json();
    assertThat(head.at("/requests").intValue()).isEqualTo(40);
    assertThat(head.at("/head").size()).isEqualTo(40);
    assertThat(head.at("/head/0/input_tokens").intValue()).isEqualTo(64 * 4 - 7);
    assertThat(files.run("trace head @small.jsonl -n 0").status()).isEqualTo(2);
  }

  @Test
  void headSaysWhatItHasNotRead() throws IOException {
    Outcome first = files.run("trace head @small.jsonl --block-size 64 -n 3 --json");
    Outcome all = files.run("trace head @small.jsonl --block-size 64 -n 40 --json");

    assertThat(first.err()).contains("what follows in the files was neither read nor checked");
    assertThat(first.json().at("/whole").booleanValue()).isFalse();
    assertThat(first.json().at("/requests").isNull()).isTrue();
    assertThat(first.json().at("/sessions").isNull()).isTrue();
    assertThat(all.err()).isEmpty();
    assertThat(all.json().at("/whole").booleanValue()).isTrue();
  }

  @Test
  void withoutASubcommandItSaysWhatIsMissing() {
    assertThat(files.run("trace").status()).isEqualTo(2);
    assertThat(files.run("trace stat").status()).isEqualTo(2);
    assertThat(files.run("trace stats").status()).isEqualTo(2);
  }
}

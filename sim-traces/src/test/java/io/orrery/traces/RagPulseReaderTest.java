package io.orrery.traces;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** RAGPulse: requests in one file, and the lengths of what their prompts are made of in others. */
class RagPulseReaderTest {
  private static final String REQUEST =
      "{\"timestamp\": \"%s\", \"input_length\": %s, \"output_length\": 5, \"hash_ids\": {\"sys_prompt\": [%s], \"passages_ids\": [%s], \"history\": [], \"user_input\": [%s]}, \"session_id\": \"s%s\"}\n";
  private static final String PASSAGE = "{\"passages_id\": %s, \"token_length\": %s}\n";

  @TempDir Path folder;

  private void file(String name, String... lines) throws IOException {
    Files.writeString(folder.resolve(name), String.join("", lines));
  }

  private static String request(
      int second, int input, String system, String passages, String user) {
    return REQUEST.formatted(second, input, system, passages, user, second);
  }

  /**
   * In blocks of 16: 40 tokens of the system prompt are two and a half; behind them two passages in
   * one order or the other; the third request has the first's passages, and 8 tokens more that no
   * component names.
   */
  @Test
  void promptsShareTheBlocksOfTheComponentsThatTheyBeginWith() throws IOException {
    file(
        "0_trace.jsonl",
        request(1, 100, "1", "2, 3", "4"),
        request(2, 100, "1", "3, 2", "5"),
        request(3, 108, "1", "2, 3", "6"));
    file(
        "1_lengths.jsonl",
        "{\"sys_prompt_id\": 1, \"token_length\": 40}\n",
        PASSAGE.formatted(2, 24),
        PASSAGE.formatted(3, 24),
        PASSAGE.formatted(4, 12),
        PASSAGE.formatted(5, 12),
        PASSAGE.formatted(6, 12));

    Trace trace = TraceReaders.read(folder);

    assertThat(trace.blockSize()).isEqualTo(16);
    assertThat(trace.requestCount()).isEqualTo(3);
    assertThat(blocks(trace, 0)).isEqualTo(6);
    assertThat(blocks(trace, 2)).isEqualTo(6);
    // the half block of the system prompt ends in other passages
    assertThat(common(trace, 0, 1)).isEqualTo(2);
    // 40 + 24 + 24 tokens are five and a half blocks
    assertThat(common(trace, 0, 2)).isEqualTo(5);
    assertThat(trace.provenance().notes()).noneMatch(note -> note.contains("name no blocks"));
  }

  @Test
  void withoutTheLengthsNothingIsKnownAndTheOutputSaysWhereTheyAre() throws IOException {
    file("0_trace.jsonl", request(1, 100, "1", "2", "3"), request(2, 100, "1", "2", "3"));

    Trace trace = TraceReaders.read(folder);

    assertThat(trace.blocksKnown()).isFalse();
    assertThat(trace.provenance().notes()).anyMatch(note -> note.contains("1_sys_prompt.jsonl"));
  }

  @Test
  void whatContradictsItselfIsCounted() throws IOException {
    file("0_trace.jsonl", request(1, 100, "1", "9", "1"), request(2, 50, "1", "", "1"));
    file("1_lengths.jsonl", PASSAGE.formatted(1, 48));

    Trace trace = TraceReaders.read(folder);

    assertThat(blocks(trace, 0)).isEqualTo(3);
    assertThat(blocks(trace, 1)).isEqualTo(3);
    assertThat(common(trace, 0, 1)).isEqualTo(3);
    assertThat(trace.provenance().counters())
        .containsEntry("components without a length: nothing behind them is known", 1L)
        .containsEntry("prompts shorter than their components, cut off", 1L);
  }

  @Test
  void lengthsAreCountsAndTheSameWhereverTheyStand() throws IOException {
    file("0_trace.jsonl", request(1, 100, "1", "2", "3"));
    file("1_lengths.jsonl", PASSAGE.formatted(1, 48), PASSAGE.formatted(1, 48));
    assertThat(TraceReaders.read(folder).requestCount()).isEqualTo(1);

    file("1_lengths.jsonl", PASSAGE.formatted(1, 48), PASSAGE.formatted(1, 47));
    assertThatThrownBy(() -> TraceReaders.read(folder))
        .hasMessageContaining(
            "1_lengths.jsonl:2: token_length: found 47, expected 48, as said of component 1");

    file("1_lengths.jsonl", PASSAGE.formatted(1, -4));
    assertThatThrownBy(() -> TraceReaders.read(folder))
        .hasMessageContaining("1_lengths.jsonl:1: token_length: found -4");
    file("1_lengths.jsonl", "{\"passages_id\": null, \"token_length\": 4}\n");
    assertThatThrownBy(() -> TraceReaders.read(folder))
        .hasMessageContaining("1_lengths.jsonl:1: passages_id: found null");
    file("1_lengths.jsonl", "{\"session_id\": 4, \"token_length\": 4}\n");
    assertThatThrownBy(() -> TraceReaders.read(folder)).hasMessageContaining("1_lengths.jsonl");
  }

  private static int common(Trace trace, int a, int b) {
    List<Integer> first = names(trace, a);
    List<Integer> second = names(trace, b);
    int common = 0;
    while (common < Math.min(first.size(), second.size())
        && first.get(common).equals(second.get(common))) {
      common++;
    }
    return common;
  }

  private static int blocks(Trace trace, int r) {
    return names(trace, r).size();
  }

  private static List<Integer> names(Trace trace, int r) {
    List<Integer> names = new ArrayList<>();
    for (int run = trace.runStart(r); run < trace.promptRunEnd(r); run++) {
      for (int i = 0; i < trace.runLength(run); i++) {
        names.add(trace.runFirst(run) + i);
      }
    }
    return names;
  }
}

package io.orrery.traces;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Thousands of damaged files: each is either a sound trace or a {@link TraceException} that names
 * the file.
 */
class MutatedTraceTest {
  private static final String[] PIECES = {
    "\"",
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "-",
    ".5",
    "e9",
    "0",
    "99999999999",
    "NaN",
    "null",
    "true",
    "\\",
    "\n",
    "\u0000",
    "\u00e9",
    "\"t\":",
    "\"requests\":[",
    "\"type\":\"subagent\",",
    "\"delay\":3,",
    "\"session_id\":\"a\","
  };

  @TempDir Path folder;

  static List<String> samples() {
    return List.of(
        """
        {"timestamp": 1000, "input_length": 2048, "output_length": 128, "hash_ids": [1, 2, 3, 4], "session_id": "a"}
        {"session_id": "a", "delay": 250, "input_length": 2300, "output_length": 64, "hash_ids": [1, 2, 3, 4, 5]}
        {"timestamp": 900.5, "request_id": "r", "input_length": 1, "output_length": 0, "hash_ids": []}
        """,
        WekaReaderTest.session(
                "p",
                100,
                60,
                WekaReaderTest.request(0, 256, "1,2,3,4", "\"out\":1,\"api_time\":18.78"),
                WekaReaderTest.agent(
                    79.2,
                    "a1",
                    "\"duration_ms\":59700,\"status\":\"completed\"",
                    WekaReaderTest.request(0, 64, "90", "\"out\":1,\"api_time\":2"),
                    WekaReaderTest.request(7, 128, "90,91", "\"out\":1,\"think_time\":5")),
                WekaReaderTest.request(90, 384, "1,2,3,4,5,6", "\"out\":1,\"think_time\":71"))
            + "\n"
            + WekaReaderTest.session("q", WekaReaderTest.request(3, 64, "1", "\"out\":1"))
            + "\n",
        """
        {"event_type":"request_end","event_time_unix_ms":1900,"agent_context":{"session_id":"c","parent_session_id":"p"},"request":{"request_id":"x","request_received_ms":1500,"output_tokens":4,"replay":{"trace_block_size":4,"input_length":9,"input_sequence_hashes":[7,8,9],"completion_sequence_hashes":[7,8,10,11]}}}
        {"event":{"event_type":"request_end","event_time_unix_ms":1400,"agent_context":{"session_id":"p"},"request":{"request_id":"y","request_received_ms":1000,"total_time_ms":3.5,"output_tokens":4,"replay":{"trace_block_size":4,"input_length":9,"input_sequence_hashes":[18446744073709551615,8]}}}}
        """);
  }

  @ParameterizedTest
  @MethodSource("samples")
  void isASoundTraceOrATraceException(String sample) throws IOException {
    SplittableRandom random = new SplittableRandom(sample.length());
    Path file = folder.resolve("mutated.jsonl");
    byte[] original = sample.getBytes(UTF_8);
    int sound = 0;
    for (int round = 0; round < 1_000; round++) {
      byte[] bytes = original;
      for (int edits = 1 + random.nextInt(3); edits > 0; edits--) {
        bytes = mutated(bytes, random);
      }
      Files.write(file, bytes);
      try {
        RealTracesTest.assertInvariants(TraceReaders.read(file));
        sound++;
      } catch (TraceException e) {
        assertThat(e).hasMessageContaining("found ").hasMessageContaining(", expected ");
      }
    }
    // some edits only change a number or an unused key
    assertThat(sound).isBetween(10, 990);
  }

  private static byte[] mutated(byte[] bytes, SplittableRandom random) {
    int at = random.nextInt(bytes.length + 1);
    int until = Math.min(bytes.length, at + random.nextInt(12));
    return switch (random.nextInt(5)) {
      case 0 -> spliced(bytes, at, until, new byte[0]);
      case 1 -> spliced(bytes, at, at, Arrays.copyOfRange(bytes, at, until));
      case 2 -> Arrays.copyOf(bytes, random.nextInt(4) == 0 ? at : bytes.length);
      case 3 ->
          spliced(
              bytes, at, Math.min(bytes.length, at + 1), new byte[] {(byte) random.nextInt(256)});
      default -> spliced(bytes, at, at, PIECES[random.nextInt(PIECES.length)].getBytes(UTF_8));
    };
  }

  private static byte[] spliced(byte[] bytes, int from, int to, byte[] piece) {
    byte[] result = new byte[from + piece.length + bytes.length - to];
    System.arraycopy(bytes, 0, result, 0, from);
    System.arraycopy(piece, 0, result, from, piece.length);
    System.arraycopy(bytes, to, result, from + piece.length, bytes.length - to);
    return result;
  }
}

package io.orrery.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A trace that is replayed in no time: 10 sessions of 4 growing turns, in blocks of 64 tokens,
 * which a scenario has to say ({@code trace.blockSize: 64}).
 */
final class SmallTrace {
  private SmallTrace() {}

  /** Writes it and returns the file. */
  static Path write(Path file) throws IOException {
    StringBuilder text = new StringBuilder();
    for (int session = 0; session < 10; session++) {
      for (int turn = 0; turn < 4; turn++) {
        int blocks = 4 + 3 * turn + session % 3;
        text.append("{\"session_id\": \"s").append(session).append("\", ");
        text.append(turn == 0 ? "\"timestamp\": " + 70 * session : "\"delay\": 40");
        text.append(", \"input_length\": ").append(64 * blocks - 7);
        text.append(", \"output_length\": ").append(20 + 5 * session);
        text.append(", \"hash_ids\": [");
        for (int block = 0; block < blocks; block++) {
          text.append(block == 0 ? "" : ", ")
              .append(block < 2 ? block : 100 * session + block + 10);
        }
        text.append("]}\n");
      }
    }
    return Files.writeString(file, text);
  }
}

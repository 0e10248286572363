package io.orrery.spark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A trace and scenarios that are replayed in no time. */
final class Samples {
  private Samples() {}

  /** Ten sessions of four growing turns, in blocks of 64 tokens. */
  static Path trace(Path file) throws IOException {
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

  /** Twelve points, one of them impossible. */
  static final String SWEEP =
      """
      trace: {files: small.jsonl, blockSize: 64}
      engine: {blockSize: 64, kvBlocks: 120}
      variants:
        - {name: first, set: {routing.policy: fails-at-first}}
        - {name: kv, set: {routing.policy: kv-aware}}
      sweep:
        grid:
          cluster.pools[0].workers: [1, 3]
          cluster.pools[0].gpu: [b200, h100, abacus]
      """;
}

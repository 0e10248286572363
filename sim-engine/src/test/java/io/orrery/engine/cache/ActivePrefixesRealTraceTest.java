package io.orrery.engine.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.orrery.traces.BlockView;
import io.orrery.traces.Trace;
import io.orrery.traces.TraceReaders;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * In real traces a key stands for a block and its whole prefix at every block size, which is what
 * {@link ActivePrefixes} relies on: a window of 50 prompts slides over the trace, and a count per
 * block agrees throughout. Skipped where {@code -Dorrery.data} is absent.
 */
class ActivePrefixesRealTraceTest {
  @ParameterizedTest
  @CsvSource({
    "mooncake/conversation_trace.jsonl, 128",
    "mooncake/conversation_trace.jsonl, 512",
    "mooncake/conversation_trace.jsonl, 1024",
    "claude-code/claude-code-40.jsonl.gz, 64"
  })
  void agreesWithACountPerBlock(String name, int blockSize) {
    Path file = Path.of(System.getProperty("orrery.data", "absent"), "traces").resolve(name);
    assumeTrue(Files.exists(file), () -> "skipped: no " + file + ", -Dorrery.data=DIR names DIR");
    Trace trace = TraceReaders.read(file);
    BlockView view = BlockView.of(trace, blockSize);
    ActivePrefixes prefixes = new ActivePrefixes();
    int[] counts = new int[Math.toIntExact(view.blockCount())];
    int distinct = 0;
    ArrayDeque<BlockKeys> active = new ArrayDeque<>();
    for (int r = 0; r < trace.requestCount(); r++) {
      BlockKeys keys = prompt(view, r);
      int depth = 0;
      while (depth < keys.named() && counts[(int) keys.keyAt(depth)] > 0) {
        depth++;
      }
      assertThat(prefixes.depth(keys, keys.named())).isEqualTo(depth);
      prefixes.add(keys, keys.named());
      for (int i = 0; i < keys.named(); i++) {
        distinct += counts[(int) keys.keyAt(i)]++ == 0 ? 1 : 0;
      }
      active.add(keys);
      if (active.size() > 50) {
        BlockKeys oldest = active.remove();
        prefixes.remove(oldest, oldest.named());
        for (int i = 0; i < oldest.named(); i++) {
          distinct -= --counts[(int) oldest.keyAt(i)] == 0 ? 1 : 0;
        }
      }
      assertThat(prefixes.blocks()).isEqualTo(distinct);
    }
    assertThat(distinct).isPositive();
  }

  private static BlockKeys prompt(BlockView view, int r) {
    BlockKeys keys = new BlockKeys();
    keys.reset(r);
    for (int i = view.runStart(r); i < view.promptRunEnd(r); i++) {
      keys.addRun(view.runFirst(i), view.runLength(i));
    }
    assertThat(keys.named()).isEqualTo(view.identifiedBlocks(r));
    return keys;
  }
}

package io.orrery.traces;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BlockViewTest {
  /**
   * a1: blocks 0 1 2 of the prompt (56 tokens, one partial), 3 4 5 of the completion; a2: 0 1 2 3 4
   * 5 6; b1: 0 1 7.
   */
  private final Trace trace =
      Trace.builder(16)
          .session("a")
          .request("a1")
          .input(56)
          .output(40)
          .blocks(1, 2, 3)
          .arrival(0)
          .request("a2")
          .input(112)
          .output(1)
          .blocks(1, 2, 3, 4, 5, 6, 7)
          .afterPrevious(0)
          .session("b")
          .request("b1")
          .input(48)
          .output(1)
          .blocks(1, 2, 9)
          .arrival(1)
          .build();

  @Test
  void equalSizesKeepTheTracesRuns() {
    BlockView view = BlockView.of(trace, 16);
    assertThat(view.blockCount()).isEqualTo(trace.blockCount()).isEqualTo(8);
    assertThat(RunText.prompt(view, 0)).isEqualTo("[0..2]");
    assertThat(RunText.completion(view, 0)).isEqualTo("[3..5]");
    assertThat(RunText.prompt(view, 1)).isEqualTo("[0..6]");
    assertThat(RunText.prompt(view, 2)).isEqualTo("[0..1][7]");
  }

  @Test
  void smallerEngineBlocksSplitEveryTraceBlock() {
    BlockView view = BlockView.of(trace, 4);
    assertThat(view.blockCount()).isEqualTo(32);
    assertThat(view.identifiedBlocks(0)).isEqualTo(12);
    assertThat(view.namedBlocks(0)).isEqualTo(24);
    assertThat(RunText.prompt(view, 0)).isEqualTo("[0..11]");
    assertThat(RunText.completion(view, 0)).isEqualTo("[12..23]");
    assertThat(RunText.prompt(view, 2)).isEqualTo("[0..7][28..31]");
  }

  @Test
  void largerEngineBlocksJoinTraceBlocks() {
    // pairs: a1 = (0 1) | (2 3) (4 5): the pair across the boundary belongs to the completion; a2 =
    // (0 1) (2 3) (4 5)
    BlockView view = BlockView.of(trace, 32);
    assertThat(view.blockSize()).isEqualTo(32);
    assertThat(view.blockCount()).isEqualTo(3);
    assertThat(view.identifiedBlocks(0)).isEqualTo(1);
    assertThat(view.namedBlocks(0)).isEqualTo(3);
    assertThat(RunText.prompt(view, 0)).isEqualTo("[0]");
    assertThat(RunText.completion(view, 0)).isEqualTo("[1..2]");
    assertThat(view.identifiedBlocks(1)).isEqualTo(3);
    assertThat(RunText.prompt(view, 1)).isEqualTo("[0..2]");
    assertThat(RunText.prompt(view, 2)).isEqualTo("[0]");
  }

  @Test
  void otherSizesAreRefused() {
    assertThatThrownBy(() -> BlockView.of(trace, 24))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "block sizes: found 24 (engine) and 16 (trace), expected one to divide the other");
    assertThatThrownBy(() -> BlockView.of(trace, 0)).isInstanceOf(IllegalArgumentException.class);
  }

  /**
   * Two requests share a key at a position exactly if their trace blocks are equal up to that
   * block's end.
   */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void groupsAreEqualWhereTheirPrefixesAre(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    TraceBuilder builder = Trace.builder(2).session("s");
    for (int i = 0; i < 60; i++) {
      long[] hashes = new long[1 + random.nextInt(14)];
      for (int b = 0; b < hashes.length; b++) {
        hashes[b] = random.nextInt(3);
      }
      builder.request("r" + i).input(2 * hashes.length).blocks(hashes).arrival(i);
    }
    Trace random2 = builder.build();
    for (int q : new int[] {1, 2, 3, 5}) {
      BlockView view = BlockView.of(random2, 2 * q);
      Map<List<Long>, Long> keyOfPrefix = new HashMap<>();
      for (int r = 0; r < random2.requestCount(); r++) {
        List<Long> ids = ids(BlockView.of(random2, 2), r);
        List<Long> keys = ids(view, r);
        assertThat(keys).hasSize(ids.size() / q).hasSize(view.identifiedBlocks(r));
        for (int g = 0; g < keys.size(); g++) {
          Long known =
              keyOfPrefix.putIfAbsent(List.copyOf(ids.subList(0, (g + 1) * q)), keys.get(g));
          assertThat(keys.get(g)).isEqualTo(known == null ? keyOfPrefix.size() - 1L : known);
        }
      }
      assertThat(view.blockCount()).isEqualTo(keyOfPrefix.size());
    }
  }

  private static List<Long> ids(BlockView view, int r) {
    List<Long> ids = new ArrayList<>();
    for (int run = view.runStart(r); run < view.promptRunEnd(r); run++) {
      for (int i = 0; i < view.runLength(run); i++) {
        ids.add(view.runFirst(run) + i);
      }
    }
    return ids;
  }

  /**
   * In blocks of 4: the second turn keeps three blocks, of which the last was the first one's
   * output; the third turn keeps one; the other session shares two.
   */
  @Test
  void leadingBlocksOfTwoContextsAreCompared() {
    Trace trace =
        Trace.builder(4)
            .session("a")
            .request("a1")
            .input(8)
            .output(5)
            .blocks(1, 2)
            .arrival(0)
            .request("a2")
            .input(17)
            .output(1)
            .blocks(1, 2, 3, 4)
            .afterPrevious(0)
            .request("a3")
            .input(12)
            .output(1)
            .blocks(1, 7, 8)
            .afterPrevious(0)
            .session("b")
            .request("b1")
            .input(12)
            .output(1)
            .blocks(1, 2, 9)
            .arrival(0)
            .build();
    int a1 = trace.firstRequest(0);
    int a2 = trace.request(0, 1);
    int a3 = trace.request(0, 2);
    int b1 = trace.firstRequest(1);

    for (int size : new int[] {4, 2, 1}) {
      BlockView view = BlockView.of(trace, size);
      int scale = 4 / size;
      assertThat(view.commonBlocks(a1, view.namedBlocks(a1), a2, view.identifiedBlocks(a2)))
          .isEqualTo(3 * scale);
      assertThat(view.commonBlocks(a1, view.identifiedBlocks(a1), a2, view.identifiedBlocks(a2)))
          .isEqualTo(2 * scale);
      assertThat(view.commonBlocks(a2, view.namedBlocks(a2), a3, view.identifiedBlocks(a3)))
          .isEqualTo(scale);
      assertThat(view.commonBlocks(a2, view.namedBlocks(a2), b1, view.identifiedBlocks(b1)))
          .isEqualTo(2 * scale);
      assertThat(view.commonBlocks(a1, 1, a2, view.identifiedBlocks(a2))).isEqualTo(1);
      assertThat(view.commonBlocks(a1, 0, a2, view.identifiedBlocks(a2))).isZero();
    }
  }
}

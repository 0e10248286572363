package io.orrery.traces;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TraceStatisticsTest {
  @Test
  void countsAHandWorkedTrace() {
    // blocks of 16: a1 = 1 2 (3), a2 = 1 2 3 4, c1 = 1 9
    Trace trace =
        Trace.builder(16)
            .session("a")
            .request("a1")
            .input(40)
            .output(5)
            .blocks(1, 2, 3)
            .arrival(0)
            .request("a2")
            .input(64)
            .output(5)
            .blocks(1, 2, 3, 4)
            .afterPrevious(1)
            .session("c", "a")
            .request("c1")
            .input(32)
            .output(5)
            .blocks(1, 9)
            .after("a1", EdgeTrigger.COMPLETION, 0)
            .build();

    TraceStatistics statistics = TraceStatistics.of(trace);

    // order: a1 (0), c1 (0), a2 (1). c1 finds 1; a2 finds 1 2 and 3, which a1 had as its partial
    // block
    assertThat(statistics)
        .isEqualTo(new TraceStatistics(3, 2, 2, 1, 136, 104, 15, 5, 9, 4, 64, 32, 32, 0, 0));
    assertThat(statistics.reusedBlockShare()).isEqualTo(4.0 / 9);
    assertThat(statistics.topLevelSessionReusedShare()).isEqualTo(32.0 / 104);
  }

  @Test
  void aRepeatedPartialBlockCountsByItsTokens() {
    Trace trace =
        Trace.builder(16)
            .session("a")
            .request("a1")
            .input(40)
            .blocks(1, 2, 3)
            .arrival(0)
            .request("a2")
            .input(40)
            .blocks(1, 2, 3)
            .arrival(1)
            .build();

    TraceStatistics statistics = TraceStatistics.of(trace);

    assertThat(statistics.reusedBlocks()).isEqualTo(3);
    assertThat(statistics.reusedTokens()).isEqualTo(40);
    assertThat(statistics.sessionReusedTokens()).isEqualTo(32);
  }

  /** Against sets of whole prefixes. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void agreesWithSetsOfPrefixes(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    TraceBuilder builder = Trace.builder(4);
    for (int i = 0; i < 80; i++) {
      long[] hashes = new long[1 + random.nextInt(12)];
      for (int b = 0; b < hashes.length; b++) {
        hashes[b] = random.nextInt(1 + random.nextInt(3));
      }
      int input = 4 * hashes.length - random.nextInt(4);
      builder
          .session("s" + random.nextInt(6))
          .request("r" + i)
          .input(input)
          .blocks(hashes)
          .arrival(i);
    }
    Trace trace = builder.build();
    Set<List<Integer>> everywhere = new HashSet<>();
    Set<List<Integer>> bySession = new HashSet<>();
    long blocks = 0;
    long tokens = 0;
    long sessionTokens = 0;
    for (int r = 0; r < trace.requestCount(); r++) {
      List<Integer> prompt = new ArrayList<>(ids(trace, r));
      if (trace.partialBlock(r) >= 0) {
        prompt.add(trace.partialBlock(r));
      }
      int leading = see(everywhere, prompt, -1);
      blocks += leading;
      tokens += Math.min(trace.inputTokens(r), 4 * leading);
      sessionTokens += 4L * see(bySession, ids(trace, r), trace.session(r));
    }

    TraceStatistics statistics = TraceStatistics.of(trace);

    assertThat(statistics.uniqueBlocks()).isEqualTo(everywhere.size());
    assertThat(statistics.reusedBlocks()).isEqualTo(blocks);
    assertThat(statistics.reusedTokens()).isEqualTo(tokens);
    assertThat(statistics.sessionReusedTokens()).isEqualTo(sessionTokens);
  }

  private static int see(Set<List<Integer>> seen, List<Integer> prompt, int session) {
    int leading = 0;
    boolean broken = false;
    for (int end = 1; end <= prompt.size(); end++) {
      List<Integer> prefix = new ArrayList<>(prompt.subList(0, end));
      prefix.add(0, session);
      broken |= seen.add(prefix);
      leading += broken ? 0 : 1;
    }
    return leading;
  }

  private static List<Integer> ids(Trace trace, int r) {
    List<Integer> ids = new ArrayList<>();
    for (int run = trace.runStart(r); run < trace.promptRunEnd(r); run++) {
      for (int i = 0; i < trace.runLength(run); i++) {
        ids.add(trace.runFirst(run) + i);
      }
    }
    return ids;
  }
}

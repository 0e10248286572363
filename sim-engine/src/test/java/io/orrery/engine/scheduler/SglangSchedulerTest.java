package io.orrery.engine.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.engine.cache.RadixEviction;
import org.junit.jupiter.api.Test;

/** SGLang's passes, worked out by hand; pages of one token. */
class SglangSchedulerTest {
  private static SchedulerScript script(int pages, int chunk, int clip, double conservativeness) {
    return new SchedulerScript(
        SchedulerScript.settings(1, pages)
            .withEngine(
                new EngineRules.Sglang(
                    QueueOrder.Policy.FCFS,
                    chunk,
                    16_384,
                    clip,
                    conservativeness,
                    RadixEviction.LRU)));
  }

  @Test
  void decodesWaitWhileAnythingIsPrefilled() {
    SchedulerScript script = script(1000, 10, 4096, 1);
    script.add(8, 5, 0, 8);
    assertThat(script.step()).isEqualTo("0:0+8");
    assertThat(script.step()).isEqualTo("0:8+1");
    script.add(25, 5, 100, 25);
    // Chunks of 10 tokens: request 0 gets nothing for three passes.
    assertThat(script.step()).isEqualTo("1:0+10");
    assertThat(script.step()).isEqualTo("1:10+10");
    assertThat(script.step()).isEqualTo("1:20+5");
    assertThat(script.step()).isEqualTo("0:9+1 1:25+1");
  }

  @Test
  void aPromptIsFoundOnceItsPassHasEndedAndItsLastTokenIsComputedAgain() {
    SchedulerScript script = script(1000, 100, 4096, 1);
    script.add(20, 1, 0, 20);
    script.add(20, 1, 0, 20);
    // Both in one pass: the second cannot find what the first is computing.
    assertThat(script.step()).isEqualTo("0:0+20 1:0+20");
    script.add(20, 1, 0, 20);
    assertThat(script.step()).isEqualTo("2:19+1");
    assertThat(script.scheduler.usedBlocks()).isZero();
  }

  @Test
  void aRefusalForMemoryLastsUntilARequestLeaves() {
    // In its own pass request 0 counts with its whole output: 10 + 40 + 1 of 60 pages.
    SchedulerScript script = script(60, 100, 4096, 1);
    script.add(10, 40, 0, 10);
    script.add(5, 3, 200, 5);
    script.add(12, 2, 100, 12);
    // 5 + 3 + 1 is not less than what is left.
    assertThat(script.step()).isEqualTo("0:0+10");
    for (int i = 0; i < 39; i++) {
      // Now only 0.7 of it is reserved and the others would fit, but the batch counts as full.
      assertThat(script.step()).isEqualTo("0:" + (10 + i) + "+1");
    }
    assertThat(script.events).containsExactly("finished 0");
    // The pass that finds it gone is empty; then both others come.
    assertThat(script.step()).isEmpty();
    assertThat(script.step()).isEqualTo("1:0+5 2:0+12");
  }

  @Test
  void theFewestOutputsAreRetractedAndQueueAtTheEnd() {
    // Nothing is reserved for outputs, so that memory runs out.
    SchedulerScript script = script(30, 100, 1, 0);
    script.add(10, 20, 0, 10);
    assertThat(script.step()).isEqualTo("0:0+10");
    assertThat(script.step()).isEqualTo("0:10+1");
    script.add(10, 20, 100, 10);
    assertThat(script.step()).isEqualTo("1:0+10");
    script.add(4, 2, 200, 4);
    // 21 pages are held; 4 + 1 + 1 fit into the rest.
    assertThat(script.step()).isEqualTo("2:0+4");
    assertThat(script.step()).isEqualTo("0:11+1 1:10+1 2:4+1");
    assertThat(script.events).containsExactly("finished 2");
    // 25 pages are held: 12 and 11, and 2 evictable ones of request 2's 5.
    assertThat(script.step()).isEqualTo("0:12+1 1:11+1");
    assertThat(script.step()).isEqualTo("0:13+1 1:12+1");
    assertThat(script.step()).isEqualTo("0:14+1 1:13+1");
    assertThat(script.step()).isEqualTo("0:15+1");
    assertThat(script.events).containsExactly("finished 2", "preempted 1");
    assertThat(script.sequences.get(1).outputs).isEqualTo(5);
  }

  @Test
  void theLastOneThatFindsNoPageIsGivenUp() {
    SchedulerScript script = script(12, 100, 1, 0);
    script.add(8, 100, 0, 8);
    assertThat(script.step()).isEqualTo("0:0+8");
    for (int i = 0; i < 4; i++) {
      assertThat(script.step()).isEqualTo("0:" + (8 + i) + "+1");
    }
    assertThat(script.step()).isEmpty();
    assertThat(script.events).containsExactly("given up 0");
    assertThat(script.scheduler.usedBlocks()).isZero();
  }
}

package io.orrery.engine.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.engine.scheduler.EngineRules.CapacityPolicy;
import org.junit.jupiter.api.Test;

/** TensorRT-LLM's passes, worked out by hand; blocks of 4 tokens. */
class TensorRtSchedulerTest {
  private static SchedulerScript script(int blocks, CapacityPolicy policy) {
    return new SchedulerScript(
        SchedulerScript.settings(4, blocks).withEngine(new EngineRules.TensorRt(policy)));
  }

  @Test
  void guaranteedNoEvictWaitsUntilPromptAndOutputFit() {
    SchedulerScript script = script(6, CapacityPolicy.GUARANTEED_NO_EVICT);
    // 3 blocks for 4 + 8 tokens each, and one more that does not fit.
    script.add(4, 8, 0, 1);
    script.add(4, 8, 10, 1);
    script.add(4, 1, 20, 1);
    assertThat(script.step()).isEqualTo("0:0+4 1:0+4");
    assertThat(script.scheduler.usedBlocks()).isEqualTo(2);
    for (int i = 0; i < 7; i++) {
      assertThat(script.step()).isEqualTo("0:" + (4 + i) + "+1 1:" + (4 + i) + "+1");
    }
    assertThat(script.step()).isEqualTo("2:0+4");
    assertThat(script.events).containsExactly("finished 0", "finished 1", "finished 2");
  }

  @Test
  void maximumUtilizationPausesTheNewestAndComputesItAgain() {
    SchedulerScript script = script(5, CapacityPolicy.MAX_UTILIZATION);
    script.add(8, 8, 0, 2);
    script.add(7, 4, 10, 1);
    assertThat(script.step()).isEqualTo("0:0+8 1:0+7");
    assertThat(script.step()).isEqualTo("0:8+1 1:7+1");
    // Request 0 has the last block; the newest needs one and is itself the newest.
    assertThat(script.step()).isEqualTo("0:9+1");
    assertThat(script.events).containsExactly("preempted 1");
    // Its 9 known tokens need 3 blocks; 2 are free until request 0 has ended.
    for (int i = 10; i < 12; i++) {
      assertThat(script.step()).isEqualTo("0:" + i + "+1");
    }
    assertThat(script.step()).isEqualTo("0:12+1");
    assertThat(script.step()).isEqualTo("0:13+1");
    assertThat(script.step()).isEqualTo("0:14+1");
    assertThat(script.events).contains("finished 0");
    // Of what it stored, the block that request 0 did not take is found again.
    assertThat(script.step()).matches("1:[04]\\+[59]");
  }

  @Test
  void anOutputIsFoundOnceItsRequestHasEnded() {
    SchedulerScript script = script(100, CapacityPolicy.GUARANTEED_NO_EVICT);
    script.add(8, 5, 0, 3);
    script.step();
    script.add(12, 1, 0, 3);
    // The block that the prompt's last token fills is stored only at the end.
    assertThat(script.step()).isEqualTo("0:8+1 1:4+8");
    for (int i = 9; i < 12; i++) {
      script.step();
    }
    script.add(13, 1, 0, 3);
    assertThat(script.step()).isEqualTo("2:12+1");
  }
}

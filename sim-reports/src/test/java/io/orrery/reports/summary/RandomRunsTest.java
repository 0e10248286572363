package io.orrery.reports.summary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.orrery.engine.record.RunResult;
import io.orrery.traces.BlockView;
import io.orrery.traces.Trace;
import io.orrery.traces.TraceBuilder;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What must hold of the summary of any run. */
class RandomRunsTest {
  private static final int BLOCK = 4;

  @Test
  void partsSumToWholesAndHitsStayBelowTheBound() {
    SplittableRandom random = new SplittableRandom(20260);
    for (int i = 0; i < 300; i++) {
      Trace trace = trace(random);
      int workers = 1 + random.nextInt(3);
      String policy = random.nextBoolean() ? "round-robin" : "kv-aware";
      long limit = random.nextInt(4) == 0 ? random.nextLong(300_000_000) : Long.MAX_VALUE;
      var pool = Runs.pool(workers, BLOCK, 12 + random.nextInt(20), 40);
      RunResult result = Runs.run(trace, pool, policy, limit);
      Summary summary =
          Metrics.summarise(
              new RunFacts(trace, BlockView.of(trace, BLOCK), result, new Slo(50_000_000, 50)));

      assertThat(sum(summary, "ledger_tokens.")).isEqualTo(summary.get("tokens.input", -1));
      assertThat(sum(summary, "misplaced_tokens."))
          .isEqualTo(summary.get("ledger_tokens.misplaced", -1));
      assertThat(
              sum(summary, "requests.")
                  - summary.get("requests.dispatched", -1)
                  - summary.get("requests.clipped", -1))
          .isEqualTo(summary.get("requests.dispatched", -1));
      assertThat(sum(summary, "gpu_seconds."))
          .isCloseTo(2 * workers * summary.get("simulated_s", -1), within(1e-9));
      assertThat(summary.get("hit_rate.tokens", 0))
          .isLessThanOrEqualTo(summary.get("hit_rate.realised_bound", 1));
      assertThat(summary.get("hit_rate.realised_bound", 0))
          .isLessThanOrEqualTo(summary.get("hit_rate.bound", 1));
      assertThat(summary.get("hit_rate.placement_loss", 0)).isNotNegative();
      assertThat(summary.get("hit_rate.eviction_loss", 0)).isNotNegative();
      assertThat(summary.get("concurrency.active.mean", 0))
          .isLessThanOrEqualTo(summary.get("concurrency.live.mean", 0) + 1e-9);
      assertThat(summary.get("concurrency.live.max", 0))
          .isLessThanOrEqualTo(summary.get("sessions.count", -1));
      assertThat(summary.toString()).doesNotContain("NaN", "Infinity");
    }
  }

  private static double sum(Summary summary, String prefix) {
    double sum = 0;
    for (Map.Entry<String, Number> entry : summary.values().entrySet()) {
      sum += entry.getKey().startsWith(prefix) ? entry.getValue().doubleValue() : 0;
    }
    return sum;
  }

  /** Sessions that grow turn by turn, some sharing their beginning, some with a child session. */
  private static Trace trace(SplittableRandom random) {
    TraceBuilder builder = Trace.builder(BLOCK);
    int sessions = 1 + random.nextInt(6);
    for (int s = 0; s < sessions; s++) {
      builder.session("s" + s);
      int turns = 1 + random.nextInt(4);
      int input = 1 + random.nextInt(12);
      long shared = random.nextBoolean() ? 1000 : 1000 * (s + 2L);
      for (int turn = 0; turn < turns; turn++) {
        long[] blocks = new long[input / BLOCK];
        for (int b = 0; b < blocks.length; b++) {
          blocks[b] = shared + b + (random.nextInt(20) == 0 ? 500 : 0);
        }
        builder.request("s" + s + "t" + turn).input(input).output(1 + random.nextInt(6));
        builder.blocks(blocks);
        if (turn == 0) {
          builder.arrival(random.nextInt(100) * 1_000_000L);
        } else {
          builder.afterPrevious(random.nextInt(50) * 1_000_000L);
        }
        input += random.nextInt(12);
      }
    }
    return builder.build();
  }
}

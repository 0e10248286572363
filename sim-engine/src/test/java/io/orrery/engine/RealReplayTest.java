package io.orrery.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.orrery.engine.DispatchSettings.Lanes;
import io.orrery.engine.DispatchSettings.Timestamps;
import io.orrery.engine.record.LedgerClass;
import io.orrery.engine.record.Recorder;
import io.orrery.engine.record.RunColumns;
import io.orrery.engine.record.RunResult;
import io.orrery.engine.routing.RoutingPolicies;
import io.orrery.traces.BlockView;
import io.orrery.traces.Trace;
import io.orrery.traces.TraceReaders;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Public traces, whole: what must hold of every run holds of them. Skipped without recorded data.
 */
class RealReplayTest {
  @ParameterizedTest
  @ValueSource(strings = {"round-robin", "kv-aware"})
  void mooncakeConversations(String policy) {
    holds(read("mooncake/conversation_trace.jsonl"), new Timestamps(1), 8, 512, 2_048, policy);
  }

  @ParameterizedTest
  @ValueSource(strings = {"session-affinity", "kv-aware"})
  void claudeCodeSessions(String policy) {
    Trace trace = read("claude-code/claude-code-373.jsonl.zst");
    holds(trace, new Lanes(128, false, false), 16, 64, 40_000, policy);
  }

  private static Trace read(String name) {
    Path file = Path.of(System.getProperty("orrery.data", "no-such-folder"), "traces", name);
    assumeTrue(Files.exists(file), "skipped: needs " + name + " (-Dorrery.data=DIR)");
    return TraceReaders.read(file);
  }

  private static void holds(
      Trace trace,
      DispatchSettings dispatch,
      int workers,
      int blockSize,
      int blocks,
      String policy) {
    int[] ends = new int[trace.requestCount()];
    PoolSettings pool =
        new PoolSettings(
            "main",
            workers,
            2,
            Runs.scheduler(blockSize, blocks, true),
            Runs.roofline(Runs.minimax()));
    RunResult result =
        new Simulation(
                trace,
                BlockView.of(trace, blockSize),
                new SimulationSettings(
                    dispatch,
                    List.of(pool),
                    RoutingPolicies.named(policy),
                    new TreeMap<>(),
                    1,
                    RouterSettings.IDEAL,
                    Long.MAX_VALUE,
                    1))
            .run(
                new Recorder() {
                  @Override
                  public void ended(int row, RequestState how, long now) {
                    ends[row]++;
                  }
                },
                ended -> {});

    assertThat(ends).as("ends of each request").containsOnly(1);
    RunColumns columns = result.columns();
    long input = 0;
    for (int row = 0; row < columns.rows(); row++) {
      if (columns.state(row) == RequestState.FINISHED) {
        int sum = 0;
        for (LedgerClass kind : LedgerClass.values()) {
          sum += columns.ledger(kind, row);
        }
        assertThat(sum).isEqualTo(trace.inputTokens(row));
        input += sum;
      }
    }
    long bound =
        input
            - Runs.ledger(columns, LedgerClass.TAIL)
            - Runs.ledger(columns, LedgerClass.UNIDENTIFIED)
            - blockSize * result.prefilledOnly();
    assertThat(Runs.ledger(columns, LedgerClass.HIT_DEVICE))
        .isPositive()
        .isLessThanOrEqualTo(bound);
    assertThat(Runs.ledger(columns, LedgerClass.UNREACHABLE)).isZero();
    result.workers().forEach(worker -> assertThat(worker.usedBlocks()).isZero());
  }
}

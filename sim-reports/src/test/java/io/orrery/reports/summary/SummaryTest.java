package io.orrery.reports.summary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.orrery.engine.record.LookUpLog;
import io.orrery.engine.record.RunResult;
import io.orrery.traces.BlockView;
import io.orrery.traces.Trace;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class SummaryTest {
  private static final Slo SLO = new Slo(10_000_000, 100);

  /**
   * One worker of two GPUs with 8 usable blocks of 4 tokens; every step takes 10 ms.
   *
   * <pre>
   *        sent  steps                        first  end    hit  tail  new   blocks in use
   * a1     0     [0,10) prefill, [10,20)      10     20     0    4     4     2, then 3
   * a2     120   [120,130) prefill            130    130    8    4     0     3
   * b1     1000  [1000,1010) prefill, 2 more  1010   1030   4    4     0     2, then 3 twice
   * </pre>
   *
   * A prompt's last block is always computed: of a2's three blocks at most two are reused, of b1's
   * two at most one. Only block 1 had to be computed before a tail: the bound is (28 - 12 - 4) /
   * 28.
   *
   * <p>Working set: a1's two blocks to 20 ms, its three to 120 (the third holds one output token),
   * a2's three to 130, none to 1000, b1's two to 1030.
   */
  @Test
  void threeRequestsByHand() {
    Summary summary =
        Runs.summary(Runs.twoSessionsTrace(), Runs.pool(1, 4, 8, 32), "round-robin", SLO);

    Map<String, String> expected = new LinkedHashMap<>();
    expected.put("requests.dispatched", "3");
    expected.put("requests.completed", "3");
    expected.put("requests.rejected", "0");
    expected.put("requests.cancelled", "0");
    expected.put("requests.failed", "0");
    expected.put("requests.unfinished", "0");
    expected.put("requests.clipped", "0");
    expected.put("sessions.count", "2");
    expected.put("sessions.completed", "2");
    // a: 0 to 130 ms, b: 1000 to 1030 ms
    quantiles(expected, "session_completion_s", "0.03", "0.13", "0.08", "2");
    expected.put("fairness.jain", "1"); // alone both take as long
    quantiles(expected, "fairness.slowdown", "1", "1", "1", "2");
    expected.put("tokens.input", "28");
    expected.put("tokens.output", "6");
    expected.put("redo_tokens", "0");
    expected.put("preemptions", "0");
    expected.put("ledger_tokens.hit_device", "12");
    expected.put("ledger_tokens.tail", "12");
    expected.put("ledger_tokens.unidentified", "0");
    expected.put("ledger_tokens.in_flight", "0");
    expected.put("ledger_tokens.rewritten", "0");
    expected.put("ledger_tokens.new", "4");
    expected.put("ledger_tokens.queue_evicted", "0");
    expected.put("ledger_tokens.misplaced", "0");
    expected.put("ledger_tokens.evicted", "0");
    expected.put("ledger_tokens.unreachable", "0");
    expected.put("misplaced_tokens.chosen", "0");
    expected.put("misplaced_tokens.blind", "0");
    expected.put("hit_rate.tokens", "0.428571428571"); // 12 / 28
    expected.put("hit_rate.bound", "0.428571428571"); // (28 - 12 - 4) / 28
    expected.put("hit_rate.realised_bound", "0.428571428571"); // one worker, nothing evicted
    expected.put("hit_rate.placement_loss", "0");
    expected.put("hit_rate.eviction_loss", "0");
    expected.put("hit_rate.realised_bound", "0.428571428571");
    expected.put("hit_rate.placement_loss", "0");
    expected.put("hit_rate.eviction_loss", "0");
    quantiles(expected, "hit_rate.session", "0.4", "0.5", "0.45", "2"); // 8 / 20, 4 / 8
    // a1 left 10 tokens, of which two blocks are full
    quantiles(expected, "resent_tokens_per_turn", "8", "8", "8", "1");
    quantiles(expected, "ttft_ms", "10", "10", "10", "3");
    quantiles(expected, "ttst_ms", "10", "10", "10", "2");
    quantiles(expected, "tpot_ms", "10", "10", "10", "2");
    quantiles(expected, "itl_ms", "10", "10", "10", "3");
    quantiles(expected, "e2e_ms", "20", "30", "20", "3");
    quantiles(expected, "queue_wait_ms", "0", "0", "0", "3");
    expected.put("output_tokens_per_s", "5.82524271845"); // 6 / 1.03
    expected.put("requests_per_s", "2.91262135922"); // 3 / 1.03
    expected.put("goodput_rps", "2.91262135922"); // 10 ms and 100 tokens/s are just kept
    expected.put("output_tokens_per_s_per_gpu", "2.91262135922"); // two GPUs
    level(expected, "concurrency.live", "0", "1", "1", "0.155339805825", "1"); // 160 / 1030 ms
    level(expected, "concurrency.active", "0", "1", "1", "0.0582524271845", "1"); // 60 / 1030 ms
    expected.put("router.decisions", "3");
    expected.put("router.queued", "0");
    expected.put("headroom.kv_pool_tokens", "32");
    // In blocks: 0 for 870 ms, 2 for 50, 3 for 110.
    level(expected, "headroom.working_set_tokens", "0", "12", "12", "1.66990291262", "12");
    // In blocks of 8: 0 for 970 ms, 2 for 20, 3 for 40.
    level(expected, "headroom.used_fraction", "0", "0.25", "0.375", "0.0194174757282", "0.375");
    expected.put("headroom.fraction", "0.625");
    expected.put("headroom.time_above_80", "0");
    expected.put("headroom.time_above_95", "0");
    expected.put("gpu_seconds.prefill", "0.06"); // 3 steps of 10 ms on 2 GPUs
    expected.put("gpu_seconds.decode", "0.06");
    expected.put("gpu_seconds.idle", "1.94"); // 2 * 1.03 - 0.12
    expected.put("imbalance.busy", "1");
    expected.put("imbalance.kv", "1");
    expected.put("simulated_s", "1.03");
    expected.put("cost.gpu_hours", "0.000572222222222"); // 2 * 1.03 / 3600
    expected.put("cost.usd", "0.0103"); // at 36 dollars an hour
    expected.put("cost.usd_per_million_input_tokens", "367.857142857"); // 10,300 / 28
    expected.put("cost.usd_per_million_output_tokens", "1716.66666667"); // 10,300 / 6
    expected.put("cost.usd_per_session", "0.00515");
    expected.put("cost.kwh", "0.00206"); // at 7.2 kW

    Map<String, String> found = new LinkedHashMap<>();
    summary.values().forEach((key, value) -> found.put(key, text(value)));
    assertThat(found).containsExactlyEntriesOf(expected);
  }

  private static String text(Number value) {
    return value instanceof BigDecimal decimal ? decimal.toPlainString() : value.toString();
  }

  /** A block of quantiles in which all from p90 up are the largest sample. */
  private static void quantiles(
      Map<String, String> expected, String key, String p50, String max, String mean, String count) {
    expected.put(key + ".p50", p50);
    for (String quantile : List.of("p90", "p95", "p99", "p999")) {
      expected.put(key + "." + quantile, max);
    }
    expected.put(key + ".mean", mean);
    expected.put(key + ".max", max);
    expected.put(key + ".count", count);
  }

  private static void level(
      Map<String, String> expected,
      String key,
      String p50,
      String p95,
      String p99,
      String mean,
      String max) {
    expected.put(key + ".p50", p50);
    expected.put(key + ".p95", p95);
    expected.put(key + ".p99", p99);
    expected.put(key + ".mean", mean);
    expected.put(key + ".max", max);
  }

  @Test
  void aPromiseIsBrokenByANanosecond() {
    Trace trace = Runs.twoSessionsTrace();

    // First tokens take 10 ms, later ones 10 ms each; a2 has one output token and no TPOT.
    assertThat(goodput(trace, new Slo(9_999_999, 1))).isZero();
    assertThat(goodput(trace, new Slo(10_000_000, 100.001))).isEqualTo(1);
    assertThat(goodput(trace, new Slo(10_000_000, 100))).isEqualTo(3);
  }

  private static long goodput(Trace trace, Slo slo) {
    Summary summary = Runs.summary(trace, Runs.pool(1, 4, 8, 32), "round-robin", slo);
    return Math.round(summary.get("goodput_rps", -1) * 1.03);
  }

  /** The model takes 8 tokens, prompt and output together: a1 is clipped, the others refused. */
  @Test
  void refusedAndClippedRequestsAreCounted() {
    Trace trace =
        Trace.builder(4)
            .session("a")
            .request("a1")
            .input(7)
            .output(5)
            .blocks(1)
            .arrival(0)
            .request("a2")
            .input(8)
            .output(1)
            .blocks(1, 2)
            .afterPrevious(0)
            .build();

    Summary summary = Runs.summary(trace, Runs.pool(1, 4, 8, 8), "round-robin", SLO);

    assertThat(summary.get("requests.dispatched")).hasValue(2);
    assertThat(summary.get("requests.completed")).hasValue(1);
    assertThat(summary.get("requests.rejected")).hasValue(1);
    assertThat(summary.get("requests.clipped")).hasValue(1);
    assertThat(summary.get("tokens.input")).hasValue(7);
    assertThat(summary.get("tokens.output")).hasValue(1);
    assertThat(summary.get("router.decisions")).hasValue(1);
    assertThat(summary.get("sessions.completed")).hasValue(1);
    assertThat(summary.get("ttft_ms.count")).hasValue(1);
  }

  /** Everything is refused at once: no time passes, no token comes. */
  @Test
  void whereNothingWasAnsweredMetricsAreAbsentAndNothingIsDividedByZero() {
    Summary summary =
        Runs.summary(Runs.twoSessionsTrace(), Runs.pool(1, 4, 8, 3), "round-robin", SLO);

    assertThat(summary.get("requests.rejected")).hasValue(3);
    assertThat(summary.values().keySet())
        .contains("requests.dispatched", "tokens.input", "gpu_seconds.idle", "simulated_s")
        .noneMatch(key -> key.startsWith("ttft_ms") || key.startsWith("hit_rate.tokens"))
        .doesNotContain("hit_rate.bound", "imbalance.busy");
    assertThat(summary.toString()).doesNotContain("NaN", "Infinity");
  }

  @Test
  void withoutBlockIdentitiesNothingIsSaidAboutHits() {
    Trace trace = Trace.builder(4).session("a").request("a1").input(9).output(1).arrival(0).build();

    Summary summary = Runs.summary(trace, Runs.pool(1, 4, 8, 32), "round-robin", SLO);

    assertThat(summary.values().keySet())
        .noneMatch(key -> key.startsWith("hit_rate") || key.startsWith("resent"));
    assertThat(summary.get("ledger_tokens.unidentified")).hasValue(8);
    assertThat(summary.get("ledger_tokens.tail")).hasValue(1);
  }

  /** Of 8 and 9 tokens the 9 have no identity; the other prompts are whole blocks and a tail. */
  @Test
  void aPartlyUnknownInputIsSaidBesideTheHitRates() {
    Trace trace =
        Trace.builder(4)
            .session("a")
            .request("a1")
            .input(8)
            .output(1)
            .blocks(1, 2)
            .arrival(0)
            .session("b")
            .request("b1")
            .input(9)
            .output(1)
            .arrival(1)
            .session("c")
            .request("c1")
            .input(3)
            .output(1)
            .arrival(2)
            .build();

    Summary summary = Runs.summary(trace, Runs.pool(1, 4, 8, 32), "round-robin", SLO);

    assertThat(summary.get("hit_rate.unidentified_share")).hasValue(9 / 20.0);
    assertThat(KnownInput.share(summary, "hit_rate.bound")).hasValue(0);
    assertThat(
            Runs.summary(Runs.twoSessionsTrace(), Runs.pool(1, 4, 8, 32), "round-robin", SLO)
                .get("hit_rate.unidentified_share"))
        .isEmpty();
  }

  /**
   * Blocks of 4. Of session a, a1's two blocks are known, a2's prompt is known to begin with them
   * and has 5 more tokens that nobody knows, a3 is known and begins with a1's blocks, too. Of b,
   * only 3 tokens are "known", since they are no block; 9 are not. c is known: 8 of its 9 tokens
   * are a1's.
   *
   * <pre>
   *        input  known  reused
   * a1         8      8       0
   * a2        13      8       8
   * a3         9      9       8     16 of 25 in a
   * b1         3      3       0
   * b2         9      0       0     nothing is known of b
   * c1         9      9       8     8 of 9 in c
   * </pre>
   */
  @Test
  void sharesOfSessionsAreOfWhatIsKnown() {
    Trace trace = partlyKnown();

    Summary summary = Runs.summary(trace, Runs.pool(1, 4, 8, 64), "round-robin", SLO);

    assertThat(summary.get("hit_rate.unidentified_share").getAsDouble())
        .isCloseTo(14 / 51.0, within(1e-9));
    assertThat(KnownInput.share(summary, "hit_rate.tokens").getAsDouble())
        .isCloseTo(24 / 37.0, within(1e-9));
    assertThat(summary.get("hit_rate.session.count")).hasValue(2);
    assertThat(summary.get("hit_rate.session.p50")).hasValue(16 / 25.0);
    assertThat(summary.get("hit_rate.session.max").getAsDouble()).isCloseTo(8 / 9.0, within(1e-9));
    // a2 and b2 are not known, so neither is what they, or the turns behind them, sent again
    assertThat(summary.get("resent_tokens_per_turn.count")).isEmpty();
  }

  private static Trace partlyKnown() {
    long second = 1_000_000_000L;
    return Trace.builder(4)
        .session("a")
        .request("a1")
        .input(8)
        .output(1)
        .blocks(1, 2)
        .arrival(0)
        .request("a2")
        .input(13)
        .output(1)
        .blocks(1, 2)
        .afterPrevious(second)
        .request("a3")
        .input(9)
        .output(1)
        .blocks(1, 2)
        .afterPrevious(second)
        .session("b")
        .request("b1")
        .input(3)
        .output(1)
        .arrival(5 * second)
        .request("b2")
        .input(9)
        .output(1)
        .afterPrevious(second)
        .session("c")
        .request("c1")
        .input(9)
        .output(1)
        .blocks(1, 2)
        .arrival(9 * second)
        .build();
  }

  /** The only prompt with blocks is refused: of the others, 3 tokens are no block, 9 unknown. */
  @Test
  void aPromptShorterThanABlockIsNoKnowledgeOfACache() {
    Trace trace =
        Trace.builder(4)
            .session("a")
            .request("a1")
            .input(400)
            .output(1)
            .blocks(LongStream.range(0, 100).toArray())
            .arrival(0)
            .session("b")
            .request("b1")
            .input(9)
            .output(1)
            .arrival(1)
            .session("c")
            .request("c1")
            .input(3)
            .output(1)
            .arrival(2)
            .build();

    Summary summary = Runs.summary(trace, Runs.pool(1, 4, 8, 32), "round-robin", SLO);

    assertThat(summary.get("requests.rejected")).hasValue(1);
    assertThat(summary.get("hit_rate.unidentified_share")).hasValue(9 / 12.0);
    assertThat(summary.values().keySet())
        .filteredOn(key -> key.startsWith("hit_rate") || key.startsWith("resent"))
        .containsExactly("hit_rate.unidentified_share");
  }

  /** The run is cut off at 15 ms, in the middle of a1's second step. */
  @Test
  void whatIsCutOffIsCountedAndStaysAlive() {
    Summary summary =
        Runs.summary(
            Runs.twoSessionsTrace(), Runs.pool(1, 4, 8, 32), "round-robin", SLO, 15_000_000);

    assertThat(summary.get("requests.dispatched")).hasValue(1);
    assertThat(summary.get("requests.unfinished")).hasValue(1);
    assertThat(summary.get("sessions.count")).hasValue(1);
    assertThat(summary.get("sessions.completed")).hasValue(0);
    assertThat(summary.get("session_completion_s.count")).isEmpty();
    assertThat(summary.get("e2e_ms.count")).isEmpty();
    assertThat(summary.get("ttft_ms.max")).hasValue(10);
    assertThat(summary.get("concurrency.live.mean")).hasValue(1);
    assertThat(summary.get("concurrency.active.mean")).hasValue(1);
    assertThat(summary.get("headroom.working_set_tokens.max")).hasValue(8);
    assertThat(summary.get("simulated_s")).hasValue(0.015);
  }

  /** kv-aware believes what it hears; a2 and b1 find what it believed. */
  @Test
  void theRoutersEstimateIsHeldAgainstWhatWasFound() {
    Summary summary =
        Runs.summary(Runs.twoSessionsTrace(), Runs.pool(2, 4, 8, 32), "kv-aware", SLO);

    assertThat(summary.get("router.estimate_error_tokens.count")).hasValue(3);
    assertThat(summary.get("router.estimate_error_tokens.max")).hasValue(0);
    assertThat(summary.get("imbalance.busy")).hasValue(2);
  }

  @Test
  void theTreeNestsAtTheDots() {
    Summary summary =
        Runs.summary(Runs.twoSessionsTrace(), Runs.pool(1, 4, 8, 32), "round-robin", SLO);

    Map<String, Object> tree = summary.tree();

    assertThat(tree.keySet())
        .startsWith("requests", "sessions", "session_completion_s", "fairness", "tokens");
    assertThat(tree.get("simulated_s")).isEqualTo(new BigDecimal("1.03"));
    assertThat(tree.get("hit_rate"))
        .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.MAP)
        .containsOnlyKeys(
            "tokens", "bound", "realised_bound", "placement_loss", "eviction_loss", "session");
  }

  /** A log of look-ups that holds one run of blocks; the two sessions need more. */
  @Test
  void whatTheLogOfLookUpsIsTooShortForIsAbsentAndSaysWhy() {
    Trace trace = Runs.twoSessionsTrace();
    RunResult result = Runs.twoSessions(trace);
    LookUpLog log = new LookUpLog(4, 1, 1);
    log.stored(0, 0, 1);
    log.stored(0, 0, 11);
    RunResult cut =
        new RunResult(
            result.columns(),
            result.interTokenNanos(),
            result.workers(),
            result.endNanos(),
            result.blockSize(),
            result.prefilledOnly(),
            result.rejections(),
            result.router(),
            result.regretNanos(),
            result.admission(),
            log);

    Summary whole = Metrics.summarise(facts(trace, result));
    Summary limited = Metrics.summarise(facts(trace, cut));

    assertThat(whole.values())
        .containsKey("hit_rate.realised_bound")
        .doesNotContainKey("hit_rate.look_up_limit");
    assertThat(limited.values())
        .containsEntry("hit_rate.look_up_limit", 1L)
        .doesNotContainKeys(
            "hit_rate.realised_bound", "hit_rate.placement_loss", "hit_rate.eviction_loss");
  }

  private static RunFacts facts(Trace trace, RunResult result) {
    return new RunFacts(trace, BlockView.of(trace, 4), result, SLO);
  }
}

package io.orrery.engine.admission;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Buffers are 100 tokens a session, ticks come every 5 s. */
class ThunderAgentUpstreamTest {
  private static final AdmissionPolicyFactory UPSTREAM = ThunderAgentUpstream.FACTORY;

  /** Worker 0 has 300 tokens of a session, worker 1 200: the new one goes to worker 1. */
  @Test
  void aNewSessionGoesToTheWorkerWithTheFewestTokens() {
    FakeEntrance entrance = FakeEntrance.two(UPSTREAM, 1000, 1000);
    assertThat(entrance.send(0, 1, 1, 300).worker()).isEqualTo(0);
    assertThat(entrance.send(0, 2, 2, 200).worker()).isEqualTo(1);
    assertThat(entrance.send(0, 3, 3, 50).worker()).isEqualTo(1);
    assertThat(entrance.used(0)).isEqualTo(400);
    assertThat(entrance.used(1)).isEqualTo(450);
  }

  @Test
  void aSessionStaysOnItsWorker() {
    FakeEntrance entrance = FakeEntrance.two(UPSTREAM, 1000, 1000);
    entrance.send(0, 1, 1, 300);
    entrance.end(1, 1, 10);
    entrance.send(1, 2, 2, 10);
    assertThat(entrance.send(2, 1, 3, 400).worker()).isEqualTo(0);
  }

  /** 700 + 100 are in use of 1,000: 150 + 100 do not fit, and 50 + 100 must wait behind them. */
  @Test
  void newSessionsWaitForRoomAndNobodyOvertakes() {
    FakeEntrance entrance = FakeEntrance.of(UPSTREAM, 1000);
    entrance.send(0, 1, 1, 700);
    assertThat(entrance.send(0, 2, 2, 150)).isEqualTo(Verdict.hold("no-room"));
    assertThat(entrance.send(0, 3, 3, 50)).isEqualTo(Verdict.hold("behind-paused"));
    entrance.until(5);
    // 200 tokens remain: of the two new ones the smaller is taken first, 150, then 250 do not fit.
    assertThat(entrance.released).containsExactly(3);
    assertThat(entrance.verdicts.get(3)).isEqualTo(Verdict.admit(0, 0, "resumed"));
    entrance.end(6, 1, 0);
    entrance.over(6, 1);
    entrance.until(10);
    assertThat(entrance.released).containsExactly(3, 2);
  }

  /**
   * Three acting sessions of 300, 310 and 320 tokens and one reasoning of 200 need 1,130 + 400 of
   * 1,400: the smallest acting one is paused, and 830 + 300 fit.
   */
  @Test
  void aboveTheWholeCacheTheSmallestActingSessionIsPaused() {
    FakeEntrance entrance = FakeEntrance.of(UPSTREAM, 1400);
    for (int session = 1; session <= 3; session++) {
      entrance.send(0, session, session, 200);
      entrance.end(1, session, 90 + 10 * session);
    }
    entrance.send(2, 4, 4, 70);
    entrance.streamed(4, 130);
    assertThat(entrance.paused).isEmpty();
    entrance.until(5);
    assertThat(entrance.paused).containsExactly(1);
    assertThat(entrance.used(0)).isEqualTo(310 + 320 + 190 + 300);
    // The paused session's next request waits.
    assertThat(entrance.send(6, 1, 5, 310)).isEqualTo(Verdict.hold("session-paused"));
  }

  /** 190 of 199 streamed tokens are known: they come in portions of 20. */
  @Test
  void outputIsCountedInPortionsOfTwenty() {
    FakeEntrance entrance = FakeEntrance.of(UPSTREAM, 10_000);
    entrance.send(0, 1, 1, 500);
    entrance.streamed(1, 199);
    entrance.until(5);
    assertThat(entrance.used(0)).isEqualTo(500 + 180 + 100);
    entrance.streamed(1, 200);
    entrance.until(10);
    assertThat(entrance.used(0)).isEqualTo(500 + 200 + 100);
    entrance.end(11, 1, 219);
    assertThat(entrance.used(0)).isEqualTo(500 + 219 + 100);
  }

  /**
   * Two reasoning sessions of 1,200 + 200 tokens in 1,000: nobody acts, so the smaller one is
   * marked; that lowers nothing, so the other one is marked as well. Both are paused as they end.
   */
  @Test
  void markingLowersNothingAndSoMarksAll() {
    FakeEntrance entrance = FakeEntrance.of(UPSTREAM, 1000);
    entrance.send(0, 1, 1, 300);
    entrance.send(0, 2, 2, 400);
    entrance.streamed(1, 300);
    entrance.streamed(2, 200);
    entrance.until(5);
    assertThat(entrance.marked).containsExactly(1, 2);
    assertThat(entrance.paused).isEmpty();
    entrance.until(10);
    assertThat(entrance.marked).as("each is marked once").containsExactly(1, 2);
    entrance.end(11, 1, 300);
    entrance.end(12, 2, 200);
    assertThat(entrance.paused).containsExactly(1, 2);
  }

  /** Of sessions that fit, those whose client waits go on first, then new ones, then the others. */
  @Test
  void whoHasAClientWaitingGoesOnFirst() {
    FakeEntrance entrance = FakeEntrance.of(UPSTREAM, 3000);
    for (int session = 1; session <= 2; session++) {
      entrance.send(0, session, session, 1000);
    }
    entrance.streamed(1, 500);
    entrance.streamed(2, 500);
    entrance.until(5);
    entrance.end(6, 1, 500);
    entrance.end(6, 2, 500);
    assertThat(entrance.paused).containsExactly(1, 2);
    entrance.send(7, 3, 3, 1200);
    entrance.send(8, 2, 4, 1500);
    entrance.until(10);
    // 3,000 remain: 1,600 of session 2, then 1,300 of session 3; 1,600 of session 1 do not fit.
    assertThat(entrance.released).containsExactly(4, 3);
    assertThat(entrance.used(0)).isEqualTo(1600 + 1300);
  }

  /** 30 minutes after it was sent, a request goes on where its session was, full or not. */
  @Test
  void aWaitEndsAfterThirtyMinutesWhereTheSessionWas() {
    FakeEntrance entrance = FakeEntrance.two(UPSTREAM, 100, 1000);
    entrance.send(0, 1, 1, 400);
    entrance.end(1, 1, 700);
    entrance.until(5);
    assertThat(entrance.paused).containsExactly(1);
    entrance.send(7, 1, 2, 1200);
    entrance.until(1806.9);
    assertThat(entrance.released).isEmpty();
    entrance.until(1807);
    assertThat(entrance.verdicts.get(2)).isEqualTo(Verdict.admit(1, 0, "forced"));
    assertThat(entrance.forced).containsExactly(1);
  }

  /** A new session that nobody has room for goes to the worker with the fewest sessions. */
  @Test
  void aForcedNewSessionGoesWhereTheFewestAre() {
    FakeEntrance entrance = FakeEntrance.two(UPSTREAM, 1000, 1000);
    entrance.send(0, 1, 1, 100);
    entrance.send(0, 2, 2, 5000);
    entrance.until(1799);
    assertThat(entrance.verdicts.get(2).kind()).isEqualTo(Verdict.Kind.HOLD);
    entrance.until(1800);
    assertThat(entrance.verdicts.get(2)).isEqualTo(Verdict.admit(1, 0, "forced"));
  }

  /**
   * With 4 characters a token a prompt of 1,000 has 4,000, which the first estimate takes for 800;
   * after one answer the ratio is known.
   */
  @Test
  void contextsAreEstimatedFromTheLengthOfTheirText() {
    FakeEntrance entrance = FakeEntrance.of(UPSTREAM, 100_000, "charactersPerToken", "4");
    entrance.send(0, 1, 1, 1000);
    assertThat(entrance.used(0)).isEqualTo(800 + 100);
    entrance.end(1, 1, 5);
    assertThat(entrance.used(0)).isEqualTo(1005 + 100);
    entrance.send(2, 2, 2, 1000);
    assertThat(entrance.used(0)).isEqualTo(1005 + 100 + 1000 + 100);
  }

  /** 10 s after its end an acting session of 900 counts for 900 / 1,024, if decay is on. */
  @Test
  void actingContextsMayDecayWhenOthersAreResumed() {
    for (boolean decays : new boolean[] {false, true}) {
      FakeEntrance entrance =
          FakeEntrance.of(UPSTREAM, 1000, "useActingTokenDecay", Boolean.toString(decays));
      entrance.send(0, 1, 1, 800);
      entrance.end(0, 1, 100);
      entrance.send(4, 2, 2, 700);
      entrance.until(10);
      assertThat(entrance.released.contains(2)).isEqualTo(decays);
    }
  }
}

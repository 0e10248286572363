package io.orrery.engine.admission;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Buffers are 100 tokens a session, ticks come every 5 s; capacities are 1,000 or 10,000. */
class DynamoPythonTest {
  private static final AdmissionPolicyFactory V1 = DynamoPython.FIRST_VERSION;
  private static final AdmissionPolicyFactory LATER = DynamoPython.FACTORY;

  /**
   * Dynamo's own test: 600 + 100 acting tokens and two buffers are 900 of 1,000; pausing the
   * smaller leaves 700, below the target of 800.
   */
  @Test
  void theSmallestActingSessionIsPausedFirst() {
    for (AdmissionPolicyFactory policy : new AdmissionPolicyFactory[] {V1, LATER}) {
      FakeEntrance entrance = FakeEntrance.of(policy, 1000, "pauseThreshold", "0.80");
      entrance.send(0, 1, 1, 600);
      entrance.end(0, 1, 0);
      entrance.send(0, 2, 2, 100);
      entrance.end(0, 2, 0);
      entrance.until(5);
      assertThat(entrance.paused).containsExactly(2);
      assertThat(entrance.used(0)).isEqualTo(700);
    }
  }

  /** Pausing begins above 0.95 and goes on down to 0.80; at 0.95 nothing happens. */
  @Test
  void pausingBeginsAboveTheThresholdAndGoesDownToTheTarget() {
    FakeEntrance entrance = FakeEntrance.of(V1, 10_000);
    entrance.send(0, 1, 1, 900);
    entrance.end(0, 1, 0);
    entrance.send(0, 2, 2, 1000);
    entrance.end(0, 2, 0);
    entrance.send(0, 3, 3, 7000);
    entrance.streamed(3, 300);
    entrance.until(5);
    // 9,200 + 300 are 0.95.
    assertThat(entrance.used(0)).isEqualTo(9500);
    assertThat(entrance.paused).isEmpty();
    entrance.streamed(3, 301);
    entrance.until(10);
    // 9,501 - 1,000 = 8,501, - 1,100 = 7,401, below 8,000.
    assertThat(entrance.paused).containsExactly(1, 2);
    assertThat(entrance.used(0)).isEqualTo(7401);
  }

  /**
   * Three reasoning sessions of 3,100, 3,200 and 3,300 with their buffers are 9,900 of 10,000. v1
   * marks all of them; later a mark counts as gone, and 9,900 - 3,200 is below 8,000.
   */
  @Test
  void theFirstVersionMarksMoreThanItNeeds() {
    FakeEntrance first = FakeEntrance.of(V1, 10_000);
    FakeEntrance later = FakeEntrance.of(LATER, 10_000);
    for (FakeEntrance entrance : new FakeEntrance[] {first, later}) {
      for (int session = 1; session <= 3; session++) {
        entrance.send(0, session, session, 1000);
        entrance.streamed(session, 2000 + 100 * session);
      }
      entrance.until(5);
      assertThat(entrance.used(0)).isEqualTo(9900);
    }
    assertThat(first.marked).containsExactly(1, 2, 3);
    assertThat(later.marked).containsExactly(1);
    first.until(10);
    later.until(10);
    assertThat(first.marked).containsExactly(1, 2, 3);
    assertThat(later.marked).as("what is marked still counts as gone").containsExactly(1);
    later.end(11, 1, 2100);
    assertThat(later.paused).containsExactly(1);
  }

  /**
   * 750 + 100 of 1,000 tokens lie between 0.80 and 0.95: the session's requests of the next 7.5 s
   * count as sent 2 s later. So do 852 at the next tick, and 160 at the one after do not.
   */
  @Test
  void betweenTheThresholdsSessionsLosePriorityForOneAndAHalfIntervals() {
    for (AdmissionPolicyFactory policy : new AdmissionPolicyFactory[] {V1, LATER}) {
      FakeEntrance entrance = FakeEntrance.of(policy, 1000);
      entrance.send(0, 1, 1, 750);
      entrance.until(5);
      entrance.end(6, 1, 2);
      assertThat(entrance.send(12.4, 1, 2, 760).priorityJumpSeconds()).isEqualTo(-2);
      // At 10 s it was 852 of 1,000, so that it is demoted until 17.5 s.
      entrance.end(14, 2, 0);
      assertThat(entrance.send(14.5, 1, 3, 60).priorityJumpSeconds()).isEqualTo(-2);
      entrance.end(14.6, 3, 0);
      assertThat(entrance.send(17.5, 1, 4, 60).priorityJumpSeconds()).isZero();
    }
  }

  /** Waiting gives one second, which an earlier demotion takes away twice over. */
  @Test
  void whoWaitedIsOneSecondAhead() {
    FakeEntrance entrance = FakeEntrance.of(V1, 1000);
    entrance.send(0, 1, 1, 700);
    entrance.send(1, 2, 2, 200);
    assertThat(entrance.verdicts.get(2)).isEqualTo(Verdict.hold("no-room"));
    entrance.end(2, 1, 0);
    entrance.over(2, 1);
    entrance.until(5);
    assertThat(entrance.verdicts.get(2)).isEqualTo(Verdict.admit(0, 1, "resumed"));
  }

  /** -2 + 1: demoted at 5 s, paused as its marked request ends, resumed at 10 s. */
  @Test
  void aDemotionOutlastsAShortPause() {
    FakeEntrance entrance =
        FakeEntrance.of(V1, 1000, "schedulerInterval", "5 s", "resumeTimeout", "1 s");
    entrance.send(0, 1, 1, 700);
    entrance.streamed(1, 50);
    entrance.until(5);
    entrance.streamed(1, 200);
    entrance.until(10);
    assertThat(entrance.marked).containsExactly(1);
    entrance.end(10.5, 1, 200);
    assertThat(entrance.paused).containsExactly(1);
    entrance.send(10.6, 1, 2, 900);
    entrance.until(11.6);
    assertThat(entrance.verdicts.get(2)).isEqualTo(Verdict.admit(0, -1, "forced"));
  }

  /**
   * 8,500 tokens may be in use after resuming. 5,000 + 100 are; of paused sessions of 1,000, 1,200
   * and 1,100 tokens, each with 100, v1 takes the smaller ones first: 1,100 + 1,200 = 2,300 fit,
   * 3,600 do not; later takes the larger ones first, 1,300 + 1,200 = 2,500, and then 1,100 does not
   * fit.
   */
  @Test
  void resumingStopsBelowTheThresholdLessTheHysteresis() {
    FakeEntrance first = FakeEntrance.of(V1, 10_000);
    FakeEntrance later = FakeEntrance.of(LATER, 10_000);
    for (FakeEntrance entrance : new FakeEntrance[] {first, later}) {
      entrance.send(0, 1, 1, 5000);
      entrance.send(0, 9, 9, 5000);
      assertThat(entrance.verdicts.get(9)).isEqualTo(Verdict.hold("no-room"));
      entrance.send(0, 2, 2, 1000);
      entrance.send(0, 3, 3, 1200);
      entrance.send(0, 4, 4, 1100);
      entrance.over(1, 9);
      entrance.until(5);
      assertThat(entrance.used(0)).isLessThanOrEqualTo(8500);
    }
    // Those chosen are placed largest first.
    assertThat(first.released).containsExactly(4, 2);
    assertThat(later.released).containsExactly(3, 4);
  }

  /** 900 + 100 tokens are 63 blocks of 16 in the later version, 1,008 tokens; v1 counts 1,000. */
  @Test
  void theLaterVersionCountsWholeBlocks() {
    FakeEntrance first = new FakeEntrance(V1, 16, new long[] {10_000});
    FakeEntrance later = new FakeEntrance(LATER, 16, new long[] {10_000});
    first.send(0, 1, 1, 900);
    later.send(0, 1, 1, 900);
    assertThat(first.used(0)).isEqualTo(1000);
    assertThat(later.used(0)).isEqualTo(1008);
  }

  /** A session that comes back to a worker above its capacity waits in the later version only. */
  @Test
  void aReturningSessionWaitsWhereTheWorkerIsOverFull() {
    FakeEntrance first = FakeEntrance.of(V1, 1000);
    FakeEntrance later = FakeEntrance.of(LATER, 1000);
    for (FakeEntrance entrance : new FakeEntrance[] {first, later}) {
      entrance.send(0, 1, 1, 300);
      entrance.end(1, 1, 0);
      entrance.send(1, 2, 2, 300);
      entrance.send(2, 1, 3, 601);
    }
    assertThat(first.verdicts.get(3).kind()).isEqualTo(Verdict.Kind.ADMIT);
    assertThat(later.verdicts.get(3)).isEqualTo(Verdict.hold("over-capacity"));
  }

  /**
   * A session of 5,000 tokens never fits into 1,000 or 2,000. After half an hour it goes where most
   * room is: worker 0 has 900 left; worker 1 1,900, of which an acting session of 1,500 has all but
   * decayed.
   */
  @Test
  void aForcedSessionGoesWhereMostRoomIsWithDecay() {
    FakeEntrance entrance = FakeEntrance.two(V1, 1000, 2000);
    entrance.send(0, 1, 1, 1500);
    assertThat(entrance.verdicts.get(1).worker()).isEqualTo(1);
    entrance.end(0, 1, 0);
    entrance.send(1, 2, 2, 5000);
    entrance.until(1801);
    assertThat(entrance.verdicts.get(2)).isEqualTo(Verdict.admit(1, 1, "forced"));
    assertThat(entrance.forced).containsExactly(2);
  }

  /** A session whose end is announced no longer counts; one that dies without a word does. */
  @Test
  void theEndOfASessionReleasesIt() {
    FakeEntrance announced = FakeEntrance.of(V1, 1000);
    FakeEntrance silent = FakeEntrance.of(V1, 1000, "announcedEnds", "0");
    for (FakeEntrance entrance : new FakeEntrance[] {announced, silent}) {
      entrance.send(0, 1, 1, 500);
      entrance.end(1, 1, 0);
      entrance.over(1, 1);
    }
    assertThat(announced.used(0)).isZero();
    assertThat(announced.policy().nextTickNanos()).isEqualTo(Long.MAX_VALUE);
    assertThat(silent.used(0)).isEqualTo(600);
  }
}

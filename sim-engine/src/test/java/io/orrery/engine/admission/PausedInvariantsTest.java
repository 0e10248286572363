package io.orrery.engine.admission;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What every variant of session-aware admission promises, on random lives of sessions, some of
 * which die without a word: after a pausing pass a worker is at most at its target or has no acting
 * session left; no session is active and waits; nobody waits for longer than the timeout; new
 * sessions never overtake paused ones; and the ledger is the sum of the active sessions' contexts,
 * counted anew here.
 */
class PausedInvariantsTest {
  private static final int RUNS = 150;
  private static final int BUFFER = 10;

  /** A session as the test knows it. */
  private static final class Life {
    long tokens;
    boolean acting;
    int request = -1;
    double sentAt;
    int input;
    int streamed;
    boolean dead;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"thunderagent-upstream", "dynamo-python-v1", "dynamo-python", "dynamo-native"})
  void theInvariantsHold(String name) {
    Coverage coverage = new Coverage();
    for (long seed = 0; seed < RUNS; seed++) {
      new RandomLives(name, seed, coverage).run();
    }
    assertThat(coverage.passes).as("pausing passes").isGreaterThan(100);
    assertThat(coverage.marks).as("marks").isGreaterThan(20);
    assertThat(coverage.held).as("held requests").isGreaterThan(100);
    assertThat(coverage.forced).as("forced resumes").isGreaterThan(20);
    assertThat(coverage.dead).as("sessions that died").isGreaterThan(100);
  }

  private static final class Coverage {
    long passes;
    long marks;
    long held;
    long forced;
    long dead;
  }

  private static final class RandomLives {
    private final SplittableRandom random;
    private final String name;
    private final Coverage coverage;
    private final FakeEntrance entrance;
    private final PausedAdmission policy;
    private final long[] capacity;
    private final Map<Integer, Life> lives = new TreeMap<>();
    private final double timeout;
    private double now;
    private int nextRequest;

    RandomLives(String name, long seed, Coverage coverage) {
      this.name = name;
      this.coverage = coverage;
      random = new SplittableRandom(seed);
      capacity = new long[1 + random.nextInt(3)];
      for (int worker = 0; worker < capacity.length; worker++) {
        capacity[worker] = 800L + random.nextInt(2000);
      }
      timeout = 20 + random.nextInt(100);
      entrance =
          new FakeEntrance(
              AdmissionPolicies.named(name),
              1,
              capacity,
              "bufferPerProgram",
              Integer.toString(BUFFER),
              "resumeTimeout",
              timeout + " s");
      policy = (PausedAdmission) entrance.policy();
    }

    void run() {
      for (int step = 0; step < 400; step++) {
        now += random.nextInt(4) * 0.25;
        ticks();
        act(random.nextInt(12));
        alwaysHolds();
      }
      coverage.marks += entrance.marked.size();
      coverage.forced += entrance.forced.size();
    }

    private void act(int choice) {
      int session = random.nextInt(12) + (choice == 0 ? 1000 + lives.size() : 0);
      Life life = lives.get(session);
      if (life == null) {
        life = new Life();
        lives.put(session, life);
        send(session, life, 20 + random.nextInt(300));
      } else if (life.dead) {
        return;
      } else if (life.request < 0) {
        if (choice == 1) {
          life.dead = true;
          coverage.dead++;
        } else if (choice == 2) {
          entrance.over(now, session);
          lives.remove(session);
        } else {
          send(session, life, (int) life.tokens + random.nextInt(200));
        }
      } else if (runs(life)) {
        life.streamed += random.nextInt(60);
        entrance.streamed(life.request, life.streamed);
        if (choice > 5) {
          end(life);
        }
      }
    }

    private void send(int session, Life life, int input) {
      boolean isNew = life.request == -1 && life.tokens == 0;
      boolean queue = anyPaused();
      life.request = nextRequest++;
      life.sentAt = now;
      life.input = input;
      life.streamed = 0;
      life.tokens = input;
      life.acting = false;
      Verdict verdict = entrance.send(now, session, life.request, input);
      coverage.held += verdict.kind() == Verdict.Kind.HOLD ? 1 : 0;
      if (isNew && queue) {
        assertThat(verdict.kind()).as("a new session overtakes").isEqualTo(Verdict.Kind.HOLD);
      }
    }

    private void end(Life life) {
      int request = life.request;
      life.request = -1;
      life.tokens = (long) life.input + life.streamed;
      life.acting = true;
      entrance.end(now, request, life.streamed);
    }

    private boolean runs(Life life) {
      return life.request >= 0 && entrance.verdicts.get(life.request).kind() == Verdict.Kind.ADMIT;
    }

    private boolean anyPaused() {
      return policy.anyPaused();
    }

    /** Gives one tick after the other, and looks at each worker after it. */
    private void ticks() {
      while (policy.nextTickNanos() <= now * FakeEntrance.SECOND) {
        double tick = policy.nextTickNanos() / FakeEntrance.SECOND;
        int before = entrance.paused.size();
        entrance.until(tick);
        List<Integer> paused = entrance.paused.subList(before, entrance.paused.size());
        coverage.passes += paused.isEmpty() ? 0 : 1;
        if (Math.round(tick * 10) % 50 == 0) {
          for (int worker = 0; worker < capacity.length; worker++) {
            atMostAtTargetOrNobodyActs(worker, paused);
          }
        }
        for (Life life : lives.values()) {
          // The native variant looks at waits with its ticks only.
          double longest = timeout + (name.equals("dynamo-native") ? 5 : 0);
          assertThat(!runs(life) && life.request >= 0 && tick - life.sentAt > longest)
              .as("request %s waits for too long", life.request)
              .isFalse();
        }
      }
      entrance.until(now);
    }

    private void atMostAtTargetOrNobodyActs(int worker, List<Integer> justPaused) {
      long used = entrance.used(worker);
      boolean acts = false;
      for (Program program : policy.programs()) {
        acts |= PausedAdmission.isActiveOn(program, worker) && program.acting;
      }
      double threshold = name.startsWith("dynamo") ? 0.95 : 1;
      double target = name.startsWith("dynamo") ? 0.80 : 1;
      if (name.equals("dynamo-python")) {
        // What is marked counts as gone.
        for (Program program : policy.programs()) {
          if (PausedAdmission.isActiveOn(program, worker) && program.marked) {
            assertThat(program.acting).isFalse();
            used -= program.tokens + BUFFER;
          }
        }
      }
      boolean within = used <= threshold * capacity[worker];
      boolean atTarget = used <= target * capacity[worker];
      boolean pausedHere =
          policy.paused().stream()
              .anyMatch(
                  program -> program.origin == worker && justPaused.contains(program.session()));
      assertThat((pausedHere ? atTarget : within) || !acts)
          .as("worker %s of %s uses %s and somebody acts", worker, capacity[worker], used)
          .isTrue();
    }

    private void alwaysHolds() {
      policy.at(Math.round(now * FakeEntrance.SECOND));
      TreeSet<Integer> seen = new TreeSet<>();
      long[] expected = new long[capacity.length];
      for (Program program : policy.programs()) {
        seen.add(program.session());
        Life life = lives.get(program.session());
        assertThat(life).as("session %s is over", program.session()).isNotNull();
        boolean waits = life.request >= 0 && !runs(life);
        assertThat(waits).as("a waiting session is paused").isEqualTo(!program.held().isEmpty());
        if (program.paused) {
          assertThat(program.worker).isEqualTo(Program.NO_WORKER);
        } else {
          assertThat(waits).as("session %s is active and waits", program.session()).isFalse();
          int counted = life.streamed;
          if (!life.acting && name.equals("thunderagent-upstream")) {
            counted = counted / 20 * 20;
          }
          long tokens = life.acting ? life.tokens : life.input + counted;
          expected[program.worker] += tokens + BUFFER;
        }
      }
      assertThat(seen).isEqualTo(new TreeSet<>(lives.keySet()));
      for (int worker = 0; worker < capacity.length; worker++) {
        assertThat(entrance.used(worker))
            .as("ledger of worker %s", worker)
            .isEqualTo(expected[worker]);
      }
    }
  }
}

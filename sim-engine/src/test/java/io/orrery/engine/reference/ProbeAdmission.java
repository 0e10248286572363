package io.orrery.engine.reference;

import io.orrery.engine.admission.AdmissionContext;
import io.orrery.engine.admission.AdmissionPolicy;
import io.orrery.engine.admission.AdmissionPolicyFactory;
import io.orrery.engine.admission.SessionLedger;
import io.orrery.engine.admission.Verdict;
import io.orrery.engine.policy.PolicyParameter;
import io.orrery.engine.routing.RoutedRequest;
import java.util.ArrayList;
import java.util.List;

/**
 * Does everything that an admission policy can do, and makes all it sees and hears decide what:
 * holds, releases, refuses, pins, ticks.
 */
final class ProbeAdmission implements AdmissionPolicy, SessionLedger {
  static final AdmissionPolicyFactory FACTORY =
      new AdmissionPolicyFactory() {
        @Override
        public String name() {
          return "probe";
        }

        @Override
        public String summary() {
          return "Makes what it sees visible.";
        }

        @Override
        public List<PolicyParameter> parameters() {
          return List.of(
              PolicyParameter.duration("interval", "1 ms", 1e-9, 3600, "Between ticks."));
        }

        @Override
        public AdmissionPolicy create(AdmissionContext context) {
          return new ProbeAdmission(context);
        }
      };

  private final AdmissionContext context;
  private final List<Integer> held = new ArrayList<>();
  private final List<Integer> placed = new ArrayList<>();
  private long next;
  private long seen;

  private ProbeAdmission(AdmissionContext context) {
    this.context = context;
    next = context.nanos("interval");
    for (int worker = 0; worker < context.workers(); worker++) {
      fold(context.capacityTokens(worker));
    }
  }

  @Override
  public Verdict arrived(RoutedRequest request) {
    see(request, 1);
    int choice = below(10);
    if (choice < 4) {
      held.add(request.id());
      if (choice == 0) {
        context.gate().paused(request.session());
      }
      return Verdict.hold("probe-" + choice);
    }
    releaseSome();
    return choice == 4 ? Verdict.refuse("probe") : verdict(choice);
  }

  private Verdict verdict(int choice) {
    return choice < 8 ? Verdict.admit(below(context.workers()), below(3), "pinned") : Verdict.ADMIT;
  }

  private void releaseSome() {
    while (!held.isEmpty() && below(3) > 0) {
      int request = held.remove(below(held.size()));
      int choice = 4 + below(6);
      context.gate().release(request, choice == 4 ? Verdict.refuse("late") : verdict(choice));
    }
  }

  @Override
  public void placed(RoutedRequest request, int worker) {
    see(request, 2 + worker);
    placed.add(request.id());
  }

  @Override
  public void firstToken(RoutedRequest request, int worker) {
    see(request, 3 + worker);
    releaseSome();
  }

  @Override
  public void ended(RoutedRequest request, int worker, int outputTokens) {
    see(request, 4 + worker);
    fold(outputTokens);
    placed.remove((Integer) request.id());
    releaseSome();
  }

  @Override
  public void sessionEnded(int session, long nowNanos) {
    fold(session);
    fold(nowNanos);
    context.gate().resumed(session, below(2) == 0);
    context.gate().marked(session);
  }

  @Override
  public long nextTickNanos() {
    return next;
  }

  @Override
  public void tick(long nowNanos) {
    fold(nowNanos);
    for (int request : placed) {
      fold(context.outputTokens(request));
    }
    releaseSome();
    next = nowNanos + context.nanos("interval") / 2 + 1 + below(5);
  }

  @Override
  public long usedTokens(int worker) {
    return Math.floorMod(seen >>> 20, 1000L);
  }

  @Override
  public long reasoningTokens(int worker) {
    return placed.size();
  }

  private void see(RoutedRequest request, int what) {
    fold(what);
    fold(request.id());
    fold(request.session());
    fold(request.parentSession());
    fold(request.inputTokens());
    fold(request.priority());
    fold(request.identifiedBlocks());
    fold(request.nowNanos());
    for (int other : placed) {
      fold(context.outputTokens(other));
    }
  }

  private int below(int bound) {
    fold(bound);
    return (int) Math.floorMod(seen >>> 17, (long) bound);
  }

  private void fold(long value) {
    seen = (seen ^ value) * 0x9E3779B97F4A7C15L;
    seen ^= seen >>> 29;
  }
}

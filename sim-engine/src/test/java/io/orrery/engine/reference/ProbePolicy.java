package io.orrery.engine.reference;

import io.orrery.engine.policy.PolicyParameter;
import io.orrery.engine.routing.Candidates;
import io.orrery.engine.routing.LoadLedger;
import io.orrery.engine.routing.PrefixBeliefs;
import io.orrery.engine.routing.RoutedRequest;
import io.orrery.engine.routing.RoutingContext;
import io.orrery.engine.routing.RoutingPolicy;
import io.orrery.engine.routing.RoutingPolicyFactory;
import io.orrery.engine.routing.WorkerView;
import java.util.List;

/**
 * Policies that make a difference in anything a policy can see into a difference in placement: one
 * folds all it sees and hears into a number and places by it, the others follow one thing only.
 */
final class ProbePolicy implements RoutingPolicy {
  /** What decides. */
  enum Kind {
    EVERYTHING,
    EVERYTHING_WITHOUT_INDEX,
    DEEPEST_BELIEF,
    FEWEST_USED_BLOCKS,
    FIRST
  }

  private final Kind kind;
  private final PrefixBeliefs beliefs;
  private final LoadLedger load;
  private final int[] depths;
  private long seen;

  private ProbePolicy(Kind kind, RoutingContext context) {
    this.kind = kind;
    boolean asks = kind == Kind.EVERYTHING || kind == Kind.DEEPEST_BELIEF;
    beliefs = asks ? context.beliefs() : null;
    load = context.load();
    depths = new int[context.workers()];
  }

  static RoutingPolicyFactory factory(Kind kind) {
    return new RoutingPolicyFactory() {
      @Override
      public String name() {
        return "probe-" + kind;
      }

      @Override
      public String summary() {
        return "Makes what it sees visible.";
      }

      @Override
      public List<PolicyParameter> parameters() {
        return List.of();
      }

      @Override
      public RoutingPolicy create(RoutingContext context) {
        return new ProbePolicy(kind, context);
      }
    };
  }

  @Override
  public int choose(RoutedRequest request, Candidates candidates) {
    if (beliefs != null) {
      beliefs.depths(request, depths);
    }
    int best = 0;
    switch (kind) {
      case DEEPEST_BELIEF -> {
        for (int i = 1; i < candidates.size(); i++) {
          best = depths[candidates.get(i).id()] > depths[candidates.get(best).id()] ? i : best;
        }
      }
      case FEWEST_USED_BLOCKS -> {
        for (int i = 1; i < candidates.size(); i++) {
          WorkerView worker = candidates.get(i);
          best = worker.usedBlocks() < candidates.get(best).usedBlocks() ? i : best;
        }
      }
      case FIRST -> best = 0;
      default -> {
        see(request, -1);
        for (int i = 0; i < candidates.size(); i++) {
          WorkerView worker = candidates.get(i);
          fold(worker.id());
          fold(worker.requestsInFlight());
          fold(worker.tokensInFlight());
          fold(worker.usedBlocks());
          fold(worker.runningRequests());
          fold(worker.waitingRequests());
          fold(worker.totalBlocks());
          fold(load.prefillTokens(worker.id()));
          fold(load.blocks(worker.id()));
          fold(load.allBlocks(worker.id()));
          fold(load.blocksWith(request, worker.id()));
          fold(depths[worker.id()]);
        }
        best = (int) Math.floorMod(seen >>> 17, (long) candidates.size());
      }
    }
    return best;
  }

  @Override
  public void placed(RoutedRequest request, int worker) {
    fold(1);
    see(request, worker);
  }

  @Override
  public void firstToken(RoutedRequest request, int worker) {
    fold(2);
    see(request, worker);
  }

  @Override
  public void ended(RoutedRequest request, int worker) {
    fold(3);
    see(request, worker);
  }

  @Override
  public void placedElsewhere(RoutedRequest request, int worker) {
    fold(4);
    see(request, worker);
  }

  @Override
  public void endedElsewhere(RoutedRequest request, int worker) {
    fold(5);
    see(request, worker);
  }

  private void see(RoutedRequest request, int worker) {
    fold(worker);
    fold(request.id());
    fold(request.session());
    fold(request.parentSession());
    fold(request.inputTokens());
    fold(request.priority());
    fold(request.promptBlocks());
    fold(request.identifiedBlocks());
    for (int i = 0; i < request.identifiedBlocks(); i++) {
      fold(request.keys().keyAt(i));
    }
    fold(request.nowNanos());
  }

  private void fold(long value) {
    seen = (seen ^ value) * 0x9E3779B97F4A7C15L;
    seen ^= seen >>> 29;
  }
}

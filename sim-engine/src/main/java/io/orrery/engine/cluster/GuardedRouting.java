package io.orrery.engine.cluster;

import io.orrery.engine.NoProgressException;
import io.orrery.engine.policy.PolicyFailureException;
import io.orrery.engine.routing.Candidates;
import io.orrery.engine.routing.DecisionTerms;
import io.orrery.engine.routing.RoutedRequest;
import io.orrery.engine.routing.RoutingContext;
import io.orrery.engine.routing.RoutingPolicy;
import io.orrery.engine.routing.RoutingPolicyFactory;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A routing policy whose faults are reported with its name and the request: what it throws, and a
 * choice that does not exist.
 */
final class GuardedRouting implements RoutingPolicy {
  private final RoutingPolicyFactory factory;
  private final RoutingPolicy policy;
  private final IntFunction<String> requestIds;

  /**
   * Makes the policy.
   *
   * @param requestIds the name of a request by its number
   */
  GuardedRouting(
      RoutingPolicyFactory factory, RoutingContext context, IntFunction<String> requestIds) {
    this.factory = factory;
    this.requestIds = requestIds;
    RoutingPolicy made;
    try {
      made = factory.create(context);
    } catch (RuntimeException | AssertionError | LinkageError | StackOverflowError e) {
      throw failure(null, e);
    }
    if (made == null) {
      throw PolicyFailureException.did(factory, null, "made null in place of a policy");
    }
    policy = made;
  }

  private RuntimeException failure(@Nullable RoutedRequest request, Throwable cause) {
    if (cause instanceof PolicyFailureException || cause instanceof NoProgressException) {
      return (RuntimeException) cause;
    }
    return PolicyFailureException.threw(
        factory, request == null ? null : requestIds.apply(request.id()), cause);
  }

  @Override
  public int choose(RoutedRequest request, Candidates candidates) {
    int chosen;
    try {
      chosen = policy.choose(request, candidates);
    } catch (RuntimeException | AssertionError | LinkageError | StackOverflowError e) {
      throw failure(request, e);
    }
    if (chosen != REFUSED && (chosen < 0 || chosen >= candidates.size())) {
      throw PolicyFailureException.did(
          factory,
          requestIds.apply(request.id()),
          "chose candidate " + chosen + ", expected one below " + candidates.size());
    }
    return chosen;
  }

  @Override
  public int believedBlocks(int worker) {
    try {
      return policy.believedBlocks(worker);
    } catch (RuntimeException | AssertionError | LinkageError | StackOverflowError e) {
      throw failure(null, e);
    }
  }

  @Override
  public int cachedTokens(RoutedRequest request, int worker) {
    try {
      return policy.cachedTokens(request, worker);
    } catch (RuntimeException | AssertionError | LinkageError | StackOverflowError e) {
      throw failure(request, e);
    }
  }

  @Override
  public void explain(DecisionTerms terms, Candidates candidates) {
    try {
      policy.explain(terms, candidates);
    } catch (RuntimeException | AssertionError | LinkageError | StackOverflowError e) {
      throw failure(null, e);
    }
  }

  @Override
  public void placed(RoutedRequest request, int worker) {
    try {
      policy.placed(request, worker);
    } catch (RuntimeException | AssertionError | LinkageError | StackOverflowError e) {
      throw failure(request, e);
    }
  }

  @Override
  public void placedElsewhere(RoutedRequest request, int worker) {
    try {
      policy.placedElsewhere(request, worker);
    } catch (RuntimeException | AssertionError | LinkageError | StackOverflowError e) {
      throw failure(request, e);
    }
  }

  @Override
  public void firstToken(RoutedRequest request, int worker) {
    try {
      policy.firstToken(request, worker);
    } catch (RuntimeException | AssertionError | LinkageError | StackOverflowError e) {
      throw failure(request, e);
    }
  }

  @Override
  public void ended(RoutedRequest request, int worker) {
    try {
      policy.ended(request, worker);
    } catch (RuntimeException | AssertionError | LinkageError | StackOverflowError e) {
      throw failure(request, e);
    }
  }

  @Override
  public void endedElsewhere(RoutedRequest request, int worker) {
    try {
      policy.endedElsewhere(request, worker);
    } catch (RuntimeException | AssertionError | LinkageError | StackOverflowError e) {
      throw failure(request, e);
    }
  }
}

package io.orrery.spark;

import io.orrery.engine.policy.PolicyParameter;
import io.orrery.engine.routing.Candidates;
import io.orrery.engine.routing.RoutedRequest;
import io.orrery.engine.routing.RoutingContext;
import io.orrery.engine.routing.RoutingPolicy;
import io.orrery.engine.routing.RoutingPolicyFactory;
import java.io.IOError;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.TaskContext;

/**
 * Takes the first candidate. In a task of Spark's, the first attempt at every third piece of work
 * fails in the middle of its run, as it would where a machine is lost.
 */
public final class FailsAtFirst implements RoutingPolicy {
  /** How often it has failed. */
  static final AtomicInteger FAILURES = new AtomicInteger();

  private static final int REQUESTS_BEFORE = 5;

  /** What ServiceLoader finds. */
  public static final class Factory implements RoutingPolicyFactory {
    @Override
    public String name() {
      return "fails-at-first";
    }

    @Override
    public String summary() {
      return "Takes the first candidate; for tests of retries.";
    }

    @Override
    public List<PolicyParameter> parameters() {
      return List.of();
    }

    @Override
    public RoutingPolicy create(RoutingContext context) {
      return new FailsAtFirst();
    }
  }

  private int requests;

  @Override
  public int choose(RoutedRequest request, Candidates candidates) {
    TaskContext task = TaskContext.get();
    if (task != null
        && task.attemptNumber() == 0
        && task.partitionId() % 3 == 0
        && ++requests == REQUESTS_BEFORE) {
      FAILURES.incrementAndGet();
      throw new IOError(new IOException("the machine is gone"));
    }
    return 0;
  }
}

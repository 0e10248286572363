package io.orrery.engine.cluster;

import io.orrery.engine.NoProgressException;
import io.orrery.engine.admission.AdmissionPolicyFactory;
import io.orrery.engine.admission.Verdict;
import io.orrery.engine.policy.PolicyFailureException;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Calls of an admission policy: whatever goes wrong in one is told as the policy's fault. */
final class PolicyCalls {
  private final AdmissionPolicyFactory policy;
  private final int workers;
  private final IntFunction<String> ids;

  /**
   * @param workers how many there are to send requests to
   * @param ids names of requests by row
   */
  PolicyCalls(AdmissionPolicyFactory policy, int workers, IntFunction<String> ids) {
    this.policy = policy;
    this.workers = workers;
    this.ids = ids;
  }

  /**
   * Tells the policy something.
   *
   * @param row the request that it is about, null for none
   */
  void tell(@Nullable Integer row, Runnable call) {
    ask(
        row,
        () -> {
          call.run();
          return true;
        });
  }

  /**
   * Asks the policy for something other than null.
   *
   * @param row the request that it is about, null for none
   */
  <T> T ask(@Nullable Integer row, Supplier<T> call) {
    T answer;
    try {
      answer = call.get();
    } catch (PolicyFailureException | NoProgressException e) {
      throw e;
    } catch (RuntimeException | AssertionError | LinkageError | StackOverflowError e) {
      throw PolicyFailureException.threw(policy, id(row), e);
    }
    if (answer == null) {
      throw did(row, "returned null");
    }
    return answer;
  }

  /** Refuses a verdict that cannot be carried out. */
  void check(int row, @Nullable Verdict verdict) {
    if (verdict == null) {
      throw did(row, "released it with null");
    }
    if (verdict.worker() < Verdict.ANY_WORKER || verdict.worker() >= workers) {
      throw did(row, "sent it to worker " + verdict.worker() + ", of " + workers);
    }
    if (!Double.isFinite(verdict.priorityJumpSeconds())) {
      throw did(row, "gave it a priority jump of " + verdict.priorityJumpSeconds() + " s");
    }
  }

  /** What is thrown for something that a policy must not do. */
  PolicyFailureException did(@Nullable Integer row, String what) {
    return PolicyFailureException.did(policy, id(row), what);
  }

  private @Nullable String id(@Nullable Integer row) {
    return row == null ? null : ids.apply(row);
  }
}

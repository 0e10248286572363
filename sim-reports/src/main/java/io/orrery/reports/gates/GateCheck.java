package io.orrery.reports.gates;

import io.orrery.reports.RunReport;
import io.orrery.reports.gates.GateResult.Outcome;
import io.orrery.reports.summary.Summary;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** Applies gates to runs. */
public final class GateCheck {
  private final @Nullable Baseline baseline;

  /**
   * @param baseline what gates compare with, if there is one
   */
  public GateCheck(@Nullable Baseline baseline) {
    this.baseline = baseline;
  }

  /** The results, worst first. */
  public List<GateResult> check(List<Gate> gates, List<RunReport> runs) {
    List<GateResult> results = new ArrayList<>();
    for (RunReport run : runs) {
      for (Gate gate : gates) {
        if (gate.holdsFor(run.name()) && concerns(gate, run)) {
          results.add(check(gate, run));
        }
      }
    }
    results.sort(
        Comparator.comparing((GateResult result) -> -result.outcome().ordinal())
            .thenComparing(result -> -result.excess()));
    return results;
  }

  /**
   * Built-in gates are about numbers that not every trace and cluster has; written ones must be.
   */
  private boolean concerns(Gate gate, RunReport run) {
    Summary before = baseline == null ? null : baseline.summary(run.name());
    return !gate.isBuiltIn()
        || run.summary().get(gate.key()).isPresent()
        || (before != null && before.get(gate.key()).isPresent());
  }

  private GateResult check(Gate gate, RunReport run) {
    GateExpression fail = gate.fail();
    if (fail != null) {
      GateResult failing = check(gate, fail, Outcome.FAILED, run);
      if (failing.outcome() != Outcome.PASSED || gate.warn() == null) {
        return failing;
      }
    }
    GateExpression warn = gate.warn();
    if (warn == null) {
      throw new IllegalStateException("a gate without a condition");
    }
    return check(gate, warn, Outcome.WARNED, run);
  }

  private GateResult check(Gate gate, GateExpression expression, Outcome broken, RunReport run) {
    OptionalDouble value = expression.value(run.summary());
    Summary before = baseline == null ? null : baseline.summary(run.name());
    OptionalDouble base = before == null ? OptionalDouble.empty() : expression.value(before);
    OptionalDouble limit = expression.limit(base);
    Outcome outcome;
    if (value.isEmpty() || limit.isEmpty()) {
      outcome = Outcome.UNKNOWN;
    } else if (expression.holds(value.getAsDouble(), limit.getAsDouble())) {
      outcome = Outcome.PASSED;
    } else {
      outcome = broken;
    }
    return new GateResult(gate, expression, run.name(), outcome, value, limit, base);
  }
}

package io.orrery.engine.reference;

import io.orrery.engine.PoolSettings;
import io.orrery.engine.RouterSettings;
import io.orrery.engine.reference.RunSpec.RequestSpec;
import io.orrery.engine.reference.RunSpec.SessionSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Cuts a run that shows a difference down to a smaller one that still shows one. */
final class RunShrinker {
  private RunShrinker() {}

  /** The smallest run found for which {@code differs} holds; it must hold for {@code run}. */
  static RunSpec shrink(RunSpec run, Predicate<RunSpec> differs) {
    RunSpec smallest = run;
    boolean smaller = true;
    while (smaller) {
      smaller = false;
      for (RunSpec candidate : candidates(smallest)) {
        if (holds(differs, candidate)) {
          smallest = candidate;
          smaller = true;
          break;
        }
      }
    }
    return smallest;
  }

  private static boolean holds(Predicate<RunSpec> differs, RunSpec candidate) {
    try {
      return candidate.requestCount() > 0 && differs.test(candidate);
    } catch (IllegalArgumentException e) {
      // What was cut away was needed for a valid run.
      return false;
    }
  }

  private static List<RunSpec> candidates(RunSpec run) {
    List<RunSpec> candidates = new ArrayList<>();
    List<SessionSpec> sessions = run.sessions();
    for (int s = 0; s < sessions.size(); s++) {
      List<SessionSpec> without = new ArrayList<>(sessions);
      without.remove(s);
      candidates.add(run.with(without).mended());
    }
    for (int s = 0; s < sessions.size(); s++) {
      for (int r = sessions.get(s).requests().size() - 1; r >= 0; r--) {
        candidates.add(replaced(run, s, r, null));
      }
    }
    if (run.settings().pools().size() > 1) {
      for (PoolSettings pool : run.settings().pools()) {
        candidates.add(run.withPools(List.of(pool)));
      }
    }
    for (PoolSettings pool : run.settings().pools()) {
      if (pool.workers() > 1 && run.settings().pools().size() == 1) {
        candidates.add(
            run.withPools(
                List.of(
                    new PoolSettings(
                        pool.name(),
                        pool.workers() - 1,
                        pool.gpusPerWorker(),
                        pool.scheduler(),
                        pool.stepTime(),
                        pool.model(),
                        pool.weight(),
                        pool.labels()))));
      }
    }
    long limit = run.settings().timeLimitNanos();
    RouterSettings router = run.settings().router();
    candidates.add(run.withTiming(run.settings().dispatch(), RouterSettings.IDEAL, Long.MAX_VALUE));
    candidates.add(run.withTiming(run.settings().dispatch(), RouterSettings.IDEAL, limit));
    candidates.add(run.withTiming(run.settings().dispatch(), router, Long.MAX_VALUE));
    for (int s = 0; s < sessions.size(); s++) {
      for (int r = 0; r < sessions.get(s).requests().size(); r++) {
        RequestSpec request = sessions.get(s).requests().get(r);
        candidates.add(replaced(run, s, r, output(request, 1)));
        candidates.add(replaced(run, s, r, output(request, request.output() / 2)));
        candidates.add(replaced(run, s, r, output(request, request.output() - 1)));
      }
    }
    candidates.removeIf(candidate -> candidate.toString().equals(run.toString()));
    return candidates;
  }

  private static RequestSpec output(RequestSpec request, int output) {
    return new RequestSpec(
        request.id(),
        request.input(),
        Math.max(1, output),
        request.blocks(),
        request.arrival(),
        request.priority(),
        request.edges());
  }

  private static RunSpec replaced(RunSpec run, int session, int request, RequestSpec with) {
    List<SessionSpec> sessions = new ArrayList<>(run.sessions());
    SessionSpec old = sessions.get(session);
    List<RequestSpec> requests = new ArrayList<>(old.requests());
    if (with == null) {
      requests.remove(request);
    } else {
      requests.set(request, with);
    }
    sessions.set(session, new SessionSpec(old.id(), old.parent(), requests));
    return run.with(sessions).mended();
  }
}

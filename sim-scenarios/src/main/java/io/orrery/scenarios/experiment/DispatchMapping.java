package io.orrery.scenarios.experiment;

import io.orrery.engine.DispatchSettings;
import io.orrery.engine.DispatchSettings.Arrivals;
import io.orrery.scenarios.EffectiveConfig;
import io.orrery.scenarios.Origin;
import io.orrery.scenarios.Variant;
import io.orrery.scenarios.schema.ScenarioSchema;
import io.orrery.scenarios.spec.ArrivalsSpec;
import io.orrery.scenarios.spec.DispatchMode;
import io.orrery.scenarios.spec.LanesSpec;
import io.orrery.scenarios.spec.TraceSpec;
import io.orrery.scenarios.text.ScenarioException;
import io.orrery.traces.Trace;
import java.util.ArrayList;
import java.util.List;

/** Decides when a variant's requests are sent. */
final class DispatchMapping {
  private static final int LANES_PER_WORKER = 8;

  private final EffectiveConfig config;
  private final TraceSpec spec;
  private final Trace trace;
  private final int workers;
  private final int rootSessions;
  private final List<String> assumptions = new ArrayList<>();
  private final DispatchMode mode;
  private final DispatchSettings settings;

  DispatchMapping(Variant variant, Trace trace) {
    this.config = variant.config();
    this.spec = variant.spec().trace();
    this.trace = trace;
    this.workers = variant.spec().workers();
    this.rootSessions = rootSessions(trace);
    mode = mode();
    noteIgnored();
    settings =
        switch (mode) {
          case TIMESTAMPS -> timestamps();
          case CLOSED_LOOP -> new DispatchSettings.ClosedLoop(arrivals());
          case LANES, AUTO -> lanes();
        };
  }

  DispatchSettings settings() {
    return settings;
  }

  List<String> assumptions() {
    return assumptions;
  }

  /** Requests that will be sent, an estimate where lanes have a limit; 0 where nobody knows. */
  long expectedRequests() {
    if (settings instanceof DispatchSettings.Lanes lanes
        && (lanes.recycle() || lanes.limit() < rootSessions)) {
      return lanes.limit() == Long.MAX_VALUE
          ? 0
          : Math.max(1, Math.round((double) trace.requestCount() * lanes.limit() / rootSessions));
    }
    return trace.requestCount();
  }

  private static int rootSessions(Trace trace) {
    int roots = 0;
    for (int s = 0; s < trace.sessionCount(); s++) {
      if (trace.parentSession(s) < 0) {
        roots++;
      }
    }
    return roots;
  }

  private DispatchMode mode() {
    if (spec.dispatch() != DispatchMode.AUTO) {
      return spec.dispatch();
    }
    if (trace.sharedClock()) {
      assumptions.add(
          "Dispatch is closed-loop, since the trace's sessions share a clock (trace.dispatch:"
              + " auto).");
      return DispatchMode.CLOSED_LOOP;
    }
    assumptions.add(
        "Dispatch is by lanes, since the trace's sessions do not share a clock (trace.dispatch:"
            + " auto).");
    return DispatchMode.LANES;
  }

  /** Changed settings of dispatch rules that are not in force: allowed, but hardly meant. */
  private void noteIgnored() {
    for (String other : List.of("timestamps", "closedLoop", "lanes")) {
      if (other.equals(section())) {
        continue;
      }
      String prefix = "trace." + other + ".";
      config.settings().stream()
          .filter(setting -> setting.path().text().startsWith(prefix))
          .filter(setting -> setting.origin().kind() != Origin.Kind.DEFAULT)
          .filter(setting -> !ScenarioSchema.isDefault(setting.path(), setting.value()))
          .forEach(
              setting ->
                  assumptions.add(
                      setting.path().text()
                          + " has no effect, since dispatch is "
                          + mode.key()
                          + "."));
    }
  }

  private String section() {
    return switch (mode) {
      case TIMESTAMPS -> "timestamps";
      case CLOSED_LOOP -> "closedLoop";
      case LANES, AUTO -> "lanes";
    };
  }

  private DispatchSettings timestamps() {
    if (!trace.sharedClock()) {
      throw noSharedClock("trace.dispatch");
    }
    noteJitter("trace.timestamps.jitter", spec.timestampsJitterNanos());
    return new DispatchSettings.Timestamps(spec.timestampsSpeedup(), spec.timestampsJitterNanos());
  }

  private Arrivals arrivals() {
    ArrivalsSpec arrivals = spec.arrivals();
    return switch (arrivals.process()) {
      case RECORDED -> {
        if (!trace.sharedClock()) {
          throw noSharedClock("trace.dispatch");
        }
        noteJitter("trace.closedLoop.arrivals.jitter", arrivals.jitterNanos());
        yield new Arrivals.Recorded(arrivals.jitterNanos());
      }
      case POISSON -> new Arrivals.Process(arrivals.ratePerSecond(), 1);
      case UNIFORM -> new Arrivals.Process(arrivals.ratePerSecond(), 0);
      case GAMMA -> new Arrivals.Process(arrivals.ratePerSecond(), arrivals.cv());
    };
  }

  private void noteJitter(String path, long nanos) {
    if (nanos > 0) {
      String jitter = config.get(path).orElseThrow().value().text();
      assumptions.add(
          "Recorded starts are moved later by up to " + jitter + ", drawn (" + path + ").");
    }
  }

  private ScenarioException noSharedClock(String path) {
    return config.refusal(
        path,
        "lanes, or closed-loop with a process for the arrivals (trace.closedLoop.arrivals.process"
            + " and rate), since the sessions of this trace share no clock");
  }

  private DispatchSettings lanes() {
    LanesSpec lanes = spec.lanes();
    int count = lanes.count().orElseGet(() -> Math.multiplyExact(LANES_PER_WORKER, workers));
    if (lanes.count().isEmpty()) {
      assumptions.add(
          count
              + " lanes: "
              + LANES_PER_WORKER
              + " sessions at once for each worker (trace.lanes.count: auto).");
    }
    if (count > rootSessions && !lanes.recycle()) {
      assumptions.add(
          "Only "
              + rootSessions
              + " of "
              + count
              + " lanes are in use: the trace has no more sessions.");
    }
    return new DispatchSettings.Lanes(
        count, lanes.recycle(), lanes.randomStart(), lanes.limit().orElse(Long.MAX_VALUE));
  }
}

package io.orrery.reports.timeline;

import java.util.ArrayList;
import java.util.List;

/**
 * Steps of workers as spans of their tracks: each on its own, or so many that follow each other as
 * one, with what they computed together.
 */
final class StepRuns {
  private TimelineWindow window;
  private final TimelineEvents events;
  private final List<Run> runs = new ArrayList<>();

  /** Steps of a worker that have not been told. */
  private static final class Run {
    private final int process;
    private int steps;
    private long began;
    private long ended;
    private long decodes;
    private long prefills;
    private long prefillTokens;
    private long evicted;
    private long evictedAt;

    Run(int process) {
      this.process = process;
    }
  }

  StepRuns(TimelineWindow window, TimelineEvents events, int workers, int firstProcess) {
    this.window = window;
    this.events = events;
    for (int worker = 0; worker < workers; worker++) {
      runs.add(new Run(firstProcess + worker));
    }
  }

  /** From now on only what reaches into another window is told. */
  void show(TimelineWindow other) {
    window = other;
  }

  void step(int worker, long began, long ended, int decodes, int prefills, int prefillTokens) {
    if (!window.shows(began, ended)) {
      return;
    }
    Run run = runs.get(worker);
    // A pause longer than a step is a pause, and must be seen.
    if (run.steps > 0 && began - run.ended > ended - began) {
      tell(run);
    }
    run.began = run.steps == 0 ? began : run.began;
    run.ended = ended;
    run.steps++;
    run.decodes += decodes;
    run.prefills += prefills;
    run.prefillTokens += prefillTokens;
    if (run.steps >= window.oneIn()) {
      tell(run);
    }
  }

  private void tell(Run run) {
    if (run.steps == 0) {
      return;
    }
    String name =
        run.prefills == 0 ? "decode" : run.decodes == 0 ? "prefill" : "prefill and decode";
    int steps = run.steps;
    long decodes = run.decodes;
    long prefills = run.prefills;
    long prefillTokens = run.prefillTokens;
    events.span(
        name,
        run.process,
        run.began,
        run.ended,
        json -> {
          if (window.oneIn() > 1) {
            json.writeNumberField("steps", steps);
          }
          json.writeNumberField("decodes", decodes);
          json.writeNumberField("prefills", prefills);
          json.writeNumberField("prefill_tokens", prefillTokens);
        });
    run.steps = 0;
    run.decodes = 0;
    run.prefills = 0;
    run.prefillTokens = 0;
    if (window.oneIn() > 1) {
      tellEvicted(run);
    }
  }

  /** A block was evicted; those of a moment, or of a run of steps, are told as one. */
  void evicted(int worker, long now) {
    Run run = runs.get(worker);
    if (window.oneIn() == 1 && run.evictedAt != now) {
      tellEvicted(run);
    }
    run.evictedAt = now;
    run.evicted++;
  }

  private void tellEvicted(Run run) {
    long blocks = run.evicted;
    run.evicted = 0;
    if (blocks > 0 && window.shows(run.evictedAt, run.evictedAt)) {
      events.moment(
          "evicted", run.process, run.evictedAt, json -> json.writeNumberField("blocks", blocks));
    }
  }

  /** Tells the rest. */
  void close() {
    runs.forEach(this::tell);
    runs.forEach(this::tellEvicted);
  }
}

package io.orrery.reports.timeline;

import io.orrery.engine.RequestState;
import io.orrery.engine.record.Recorder;
import io.orrery.traces.Trace;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * Writes a run as a timeline. Every worker is a process whose track holds its steps with the
 * make-up of their batch, evictions and preemptions; every request is a span from its sending to
 * its last token, on the worker that served it, with its parts inside: pause, router, host, queue,
 * prefill, decode. Requests that no worker got are on a process of their own.
 *
 * <p>Keeps what is on its way only.
 */
public final class TimelineRecorder implements Recorder {
  private final Trace trace;
  private final String run;
  private final int firstProcess;
  private final long mostEvents;
  private TimelineWindow window;
  private boolean full;
  private final TimelineEvents events;
  private final TreeMap<Integer, Life> open = new TreeMap<>();
  private final StepRuns steps;

  /** A request on its way: the parts of its life that are over, and the one that lasts. */
  private static final class Life {
    private final List<Part> parts = new ArrayList<>();
    private final long sent;
    private String now = "router";
    private long since;
    private int worker = -1;
    private int hitTokens;

    Life(long sent) {
      this.sent = sent;
      since = sent;
    }

    void enters(String next, long time) {
      if (time > since) {
        parts.add(new Part(now, since, time));
      }
      now = next;
      since = time;
    }
  }

  private record Part(String name, long from, long to) {}

  /**
   * @param run name of the run, in front of the names of its processes
   * @param number of the run among those of the file
   * @param mostEvents after so many, nothing is told of what begins later
   * @param out receives events, one a line, with commas between them
   */
  public TimelineRecorder(
      Trace trace,
      int workers,
      String run,
      int number,
      TimelineWindow window,
      long mostEvents,
      Writer out) {
    this.trace = trace;
    this.run = run;
    this.window = window;
    this.mostEvents = mostEvents;
    firstProcess = 1 + number * 10_000;
    events = new TimelineEvents(out);
    steps = new StepRuns(window, events, workers, process(0));
    events.name("process_name", firstProcess, run + ", without a worker");
    for (int worker = 0; worker < workers; worker++) {
      events.name("process_name", process(worker), run + ", worker " + worker);
      events.name("thread_name", process(worker), "steps");
    }
  }

  /** Where the timeline ends because it is full; empty if it is not. */
  public OptionalLong fullAtNanos() {
    return full ? OptionalLong.of(window.toNanos()) : OptionalLong.empty();
  }

  private void endIfFull(long now) {
    if (!full && events.count() > mostEvents) {
      full = true;
      window = window.until(now);
      steps.show(window);
    }
  }

  private int process(int worker) {
    return firstProcess + 1 + worker;
  }

  @Override
  public boolean hearsSteps() {
    return true;
  }

  @Override
  public void step(
      int worker, long began, long ended, int decodes, int prefills, int prefillTokens) {
    steps.step(worker, began, ended, decodes, prefills, prefillTokens);
    endIfFull(ended);
  }

  @Override
  public void evicted(int worker, long now) {
    steps.evicted(worker, now);
  }

  @Override
  public void arrived(int row, long now) {
    if (now <= window.toNanos() && window.showsSession(trace.session(row % trace.requestCount()))) {
      open.put(row, new Life(now));
    }
  }

  @Override
  public void held(int row, String reason, long now) {
    enters(row, "pause: " + reason, now);
  }

  @Override
  public void admitted(int row, String reason, long now) {
    enters(row, "router", now);
  }

  @Override
  public void placed(int row, int worker, long now) {
    Life life = open.get(row);
    if (life != null) {
      life.worker = worker;
      life.enters("host", now);
    }
  }

  @Override
  public void queued(int row, long now) {
    enters(row, "queue", now);
  }

  @Override
  public void scheduled(int row, int hitTokens, long now) {
    Life life = open.get(row);
    if (life != null) {
      life.hitTokens = hitTokens;
      life.enters("prefill", now);
    }
  }

  @Override
  public void firstToken(int row, long now) {
    enters(row, "decode", now);
  }

  @Override
  public void preempted(int row, long now) {
    Life life = open.get(row);
    if (life != null) {
      life.enters("preempted", now);
      if (window.shows(now, now)) {
        events.moment(
            "preempted",
            process(life.worker),
            now,
            json -> json.writeStringField("request", id(row)));
      }
    }
  }

  @Override
  public void resumed(int row, int redoneTokens, long now) {
    enters(row, "redo of " + redoneTokens + " tokens", now);
  }

  private void enters(int row, String part, long now) {
    Life life = open.get(row);
    if (life != null) {
      life.enters(part, now);
    }
  }

  @Override
  public void ended(int row, RequestState how, long now) {
    Life life = open.remove(row);
    if (life != null) {
      tell(row, life, how.name().toLowerCase(Locale.ROOT), now);
      endIfFull(now);
    }
  }

  /**
   * The run is over.
   *
   * @param end of simulated time
   */
  public void close(long end) {
    open.forEach((row, life) -> tell(row, life, "unfinished", end));
    open.clear();
    steps.close();
    events.flush();
  }

  private String id(int row) {
    return trace.requestId(row % trace.requestCount());
  }

  private void tell(int row, Life life, String outcome, long end) {
    if (!window.shows(life.sent, end)) {
      return;
    }
    life.enters("", end);
    int request = row % trace.requestCount();
    int process = life.worker < 0 ? firstProcess : process(life.worker);
    String span = run + " " + row;
    events.begin(
        id(row),
        process,
        span,
        life.sent,
        json -> {
          json.writeStringField("session", trace.sessionId(trace.session(request)));
          json.writeNumberField("turn", trace.turn(request));
          json.writeNumberField("copy", row / trace.requestCount());
          json.writeNumberField("input_tokens", trace.inputTokens(request));
          json.writeNumberField("reused_tokens", life.hitTokens);
          json.writeNumberField("output_tokens", trace.outputTokens(request));
          json.writeStringField("outcome", outcome);
        });
    for (Part part : life.parts) {
      events.begin(part.name(), process, span, part.from(), TimelineEvents.NONE);
      events.end(part.name(), process, span, part.to());
    }
    events.end(id(row), process, span, end);
  }
}

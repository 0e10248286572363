package io.orrery.engine.record;

import io.orrery.engine.RequestState;

/** Passes everything on to two recorders. */
record RecorderPair(Recorder first, Recorder second) implements Recorder {
  @Override
  public void arrived(int row, long now) {
    first.arrived(row, now);
    second.arrived(row, now);
  }

  @Override
  public void held(int row, String reason, long now) {
    first.held(row, reason, now);
    second.held(row, reason, now);
  }

  @Override
  public void admitted(int row, String reason, long now) {
    first.admitted(row, reason, now);
    second.admitted(row, reason, now);
  }

  @Override
  public boolean hearsDecisions() {
    return first.hearsDecisions() || second.hearsDecisions();
  }

  @Override
  public void waits(int row, String reason, long now) {
    first.waits(row, reason, now);
    second.waits(row, reason, now);
  }

  @Override
  public void decided(Decision decision) {
    if (first.hearsDecisions()) {
      first.decided(decision);
    }
    if (second.hearsDecisions()) {
      second.decided(decision);
    }
  }

  @Override
  public void placed(int row, int worker, long now) {
    first.placed(row, worker, now);
    second.placed(row, worker, now);
  }

  @Override
  public void queued(int row, long now) {
    first.queued(row, now);
    second.queued(row, now);
  }

  @Override
  public void scheduled(int row, int hitTokens, long now) {
    first.scheduled(row, hitTokens, now);
    second.scheduled(row, hitTokens, now);
  }

  @Override
  public void preempted(int row, long now) {
    first.preempted(row, now);
    second.preempted(row, now);
  }

  @Override
  public void resumed(int row, int redoneTokens, long now) {
    first.resumed(row, redoneTokens, now);
    second.resumed(row, redoneTokens, now);
  }

  @Override
  public void firstToken(int row, long now) {
    first.firstToken(row, now);
    second.firstToken(row, now);
  }

  @Override
  public void ended(int row, RequestState how, long now) {
    first.ended(row, how, now);
    second.ended(row, how, now);
  }

  @Override
  public boolean hearsSteps() {
    return first.hearsSteps() || second.hearsSteps();
  }

  @Override
  public void step(
      int worker, long began, long ended, int decodes, int prefills, int prefillTokens) {
    if (first.hearsSteps()) {
      first.step(worker, began, ended, decodes, prefills, prefillTokens);
    }
    if (second.hearsSteps()) {
      second.step(worker, began, ended, decodes, prefills, prefillTokens);
    }
  }

  @Override
  public void evicted(int worker, long now) {
    if (first.hearsSteps()) {
      first.evicted(worker, now);
    }
    if (second.hearsSteps()) {
      second.evicted(worker, now);
    }
  }
}

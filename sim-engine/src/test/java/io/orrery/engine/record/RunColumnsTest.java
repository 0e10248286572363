package io.orrery.engine.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.engine.RequestState;
import org.junit.jupiter.api.Test;

class RunColumnsTest {
  private static final long NONE = RunColumns.NO_TIME;
  private static final long HOUR = 3_600_000_000_000L;

  private final RunColumns columns = new RunColumns(4);

  @Test
  void aRequestThatWasNeverSentHasNoTimes() {
    assertThat(columns.rows()).isEqualTo(4);
    assertThat(columns.dispatched(3)).isFalse();
    assertThat(columns.worker(3)).isEqualTo(-1);
    assertThat(columns.placedNanos(3)).isEqualTo(NONE);
    assertThat(columns.endNanos(3)).isEqualTo(NONE);
    assertThat(columns.believedTokens(3)).isEqualTo(-1);
    assertThat(columns.ledger(LedgerClass.TAIL, 3)).isZero();
  }

  /** Sent at 100, placed at once on worker 2, and so on: every stage is told back. */
  @Test
  void aLifeIsToldBack() {
    live(1, 100, 0, 0);
    assertThat(columns.placedNanos(1)).isEqualTo(100);
    assertThat(columns.queuedNanos(1)).isEqualTo(100);
    assertThat(columns.routerChoice(1)).isEqualTo(2);
    columns.overruled(1, 5);
    assertThat(columns.routerChoice(1)).isEqualTo(5);
  }

  /** Row 0 is placed when it is sent; row 1 later, and queued later still. */
  @Test
  void stagesOfTheirOwnBeginWithTheFirstRowThatHasOne() {
    live(0, 100, 0, 0);
    columns.arrived(3, 150);
    columns.setState(3, RequestState.ROUTED);
    live(1, 200, 30, 0);
    live(2, 300, 0, HOUR);
    assertThat(columns.placedNanos(0)).isEqualTo(100);
    assertThat(columns.queuedNanos(0)).isEqualTo(100);
    assertThat(columns.placedNanos(1)).isEqualTo(230);
    assertThat(columns.queuedNanos(1)).isEqualTo(230);
    assertThat(columns.queuedNanos(2)).isEqualTo(300 + HOUR);
    assertThat(columns.placedNanos(3)).as("not placed").isEqualTo(NONE);
    assertThat(columns.queuedNanos(3)).as("on its way").isEqualTo(NONE);
  }

  @Test
  void copiesKeepWhatWasThere() {
    live(1, 100, 7, 9);
    columns.ensure(8);
    live(5, 100, 7, 9);
    assertThat(columns.copy(5)).isEqualTo(1);
    assertThat(columns.request(5)).isEqualTo(1);
    assertThat(columns.dispatched(4)).isFalse();
    assertThat(columns.queuedNanos(1)).isEqualTo(116);
    assertThat(columns.ledger(LedgerClass.NEW, 5)).isEqualTo(11);
  }

  @Test
  void aRefusedRequestEndsWithoutEverBeingScheduled() {
    columns.admissionDecides();
    columns.arrived(0, 50);
    columns.held(0, (byte) 3);
    assertThat(columns.state(0)).isEqualTo(RequestState.PAUSED);
    columns.ended(0, RequestState.REJECTED, 50 + HOUR);
    assertThat(columns.holdReason(0)).isEqualTo(3);
    assertThat(columns.holdReason(1)).isEqualTo(-1);
    assertThat(columns.admittedNanos(0)).isEqualTo(NONE);
    assertThat(columns.scheduledNanos(0)).isEqualTo(NONE);
    assertThat(columns.endNanos(0)).isEqualTo(50 + HOUR);
  }

  private void live(int row, long sent, long router, long host) {
    columns.arrived(row, sent);
    columns.placed(row, 2, sent + router, 40);
    columns.queued(row, sent + router + host);
    columns.setState(row, RequestState.WAITING);
    long begun = sent + router + host + 1_000;
    columns.scheduled(row, begun);
    columns.charge(LedgerClass.NEW, row, 11);
    columns.firstToken(row, begun + 20);
    columns.secondToken(row, begun + 30);
    columns.preempted(row);
    columns.redone(row, 5);
    columns.redone(row, 6);
    columns.outputs(row, 3);
    columns.ended(row, RequestState.FINISHED, begun + HOUR);
    assertThat(columns.arrivalNanos(row)).isEqualTo(sent);
    assertThat(columns.admittedNanos(row)).isEqualTo(sent);
    assertThat(columns.scheduledNanos(row)).isEqualTo(begun);
    assertThat(columns.firstTokenNanos(row)).isEqualTo(begun + 20);
    assertThat(columns.secondTokenNanos(row)).isEqualTo(begun + 30);
    assertThat(columns.endNanos(row)).isEqualTo(begun + HOUR);
    assertThat(columns.worker(row)).isEqualTo(2);
    assertThat(columns.believedTokens(row)).isEqualTo(40);
    assertThat(columns.preemptions(row)).isEqualTo(1);
    assertThat(columns.redoTokens(row)).isEqualTo(11);
    assertThat(columns.clippedTokens(row)).isZero();
    assertThat(columns.outputTokens(row)).isEqualTo(3);
    assertThat(columns.state(row)).isEqualTo(RequestState.FINISHED);
  }
}

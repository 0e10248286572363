package io.orrery.engine.cluster;

import io.orrery.engine.RequestState;
import io.orrery.engine.record.Recorder;
import io.orrery.engine.record.RunColumns;
import io.orrery.engine.record.RunResult.Rejection;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Writes down what becomes of requests: in the run's columns first, then the recorder hears. */
final class RequestLog {
  private final RunColumns columns;
  private final Recorder recorder;
  private final List<Rejection> rejections = new ArrayList<>();

  RequestLog(RunColumns columns, Recorder recorder) {
    this.columns = columns;
    this.recorder = recorder;
  }

  /** Those that were turned away, by increasing row. */
  List<Rejection> rejections() {
    rejections.sort(Comparator.comparingInt(Rejection::row));
    return rejections;
  }

  void arrived(int row, long t) {
    columns.arrived(row, t);
    recorder.arrived(row, t);
  }

  void admitted(int row, String reason, long t) {
    columns.admitted(row, t);
    recorder.admitted(row, reason, t);
  }

  void waits(int row, String reason, long t) {
    columns.setState(row, RequestState.QUEUED);
    recorder.waits(row, reason, t);
  }

  void rejected(int row, String reason, long t) {
    rejections.add(new Rejection(row, reason));
    ended(row, RequestState.REJECTED, t);
  }

  /**
   * @param believedTokens leading tokens that {@code worker} was believed to hold, or -1
   */
  void placed(int row, int worker, long t, int believedTokens) {
    columns.placed(row, worker, t, believedTokens);
    recorder.placed(row, worker, t);
  }

  void queued(int row, long t) {
    columns.queued(row, t);
    columns.setState(row, RequestState.WAITING);
    recorder.queued(row, t);
  }

  void scheduled(ActiveRequest request, long t) {
    columns.scheduled(request.request, t);
    columns.setState(request.request, RequestState.PREFILLING);
    recorder.scheduled(request.request, request.hitTokens, t);
  }

  void resumed(ActiveRequest request, int redoneTokens, long t) {
    columns.redone(request.request, redoneTokens);
    recorder.resumed(request.request, redoneTokens, t);
    columns.setState(
        request.request, request.outputs > 0 ? RequestState.DECODING : RequestState.PREFILLING);
  }

  void preempted(int row, long t) {
    columns.preempted(row);
    columns.setState(row, RequestState.PREEMPTED);
    recorder.preempted(row, t);
  }

  void firstToken(int row, long t) {
    columns.firstToken(row, t);
    if (columns.state(row) != RequestState.PREEMPTED) {
      columns.setState(row, RequestState.DECODING);
    }
    recorder.firstToken(row, t);
  }

  void secondToken(int row, long t) {
    columns.secondToken(row, t);
  }

  /** It has so many output tokens, at its end or at the end of the run. */
  void outputs(ActiveRequest request) {
    columns.outputs(request.request, request.outputs);
  }

  void ended(int row, RequestState how, long t) {
    columns.ended(row, how, t);
    recorder.ended(row, how, t);
  }
}

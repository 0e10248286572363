package io.orrery.reports.table;

import io.orrery.engine.record.AdmissionLog;
import io.orrery.engine.record.RunColumns;
import io.orrery.reports.summary.RunFacts;
import io.orrery.reports.summary.SessionFacts;
import io.orrery.traces.Trace;
import java.io.IOException;
import java.util.BitSet;
import java.util.List;

/** Every session that was started, run by run. */
public final class SessionsTable {
  private SessionsTable() {}

  /** The table of some runs. */
  public static ResultTable of(List<RunRows> runs) {
    return new ResultTable(
        "sessions",
        new TableColumns()
            .text("run", "Variant.")
            .text("session", "Session id in the trace.")
            .text("root", "Id of the root of its tree; its own for a root.")
            .number("copy", "Recycling of the trace, from 0.")
            .number("turns", "Requests sent.")
            .number("completed", "1 if all of its requests have ended, else 0.")
            .number("start_ns", "When its first request was sent.")
            .maybe("end_ns", "When its last request ended, if it is completed.")
            .number("input_tokens", "Input tokens of requests that came into a step.")
            .number("hit_tokens", "Of these, the reused ones.")
            .number("output_tokens", "Output tokens.")
            .number("workers", "Workers that served it.")
            .number("returns", "Turns placed on the worker of the turn before.")
            .number("pauses", "How often admission paused it.")
            .number("pause_ns", "How long it was paused in all.")
            .list(),
        sink -> {
          for (RunRows run : runs) {
            write(run, sink);
          }
        });
  }

  private static void write(RunRows run, RowSink sink) throws IOException {
    SessionFacts sessions = run.facts().sessions();
    for (int session = 0; session < sessions.count(); session++) {
      if (sessions.started(session)) {
        write(run, session, sink);
      }
    }
  }

  private static void write(RunRows run, int session, RowSink sink) throws IOException {
    RunFacts facts = run.facts();
    Trace trace = facts.trace();
    RunColumns columns = facts.columns();
    SessionFacts sessions = facts.sessions();
    int copy = session / trace.sessionCount();
    int own = session % trace.sessionCount();
    BitSet workers = new BitSet();
    int turns = 0;
    int returns = 0;
    int before = -1;
    long output = 0;
    for (int turn = 0; turn < trace.requestCount(own); turn++) {
      int row = copy * trace.requestCount() + trace.request(own, turn);
      if (columns.dispatched(row)) {
        turns++;
        output += columns.outputTokens(row);
        int worker = columns.worker(row);
        if (worker >= 0) {
          workers.set(worker);
          returns += worker == before ? 1 : 0;
          before = worker;
        }
      }
    }
    sink.text(run.name());
    sink.text(trace.sessionId(own));
    sink.text(trace.sessionId(trace.rootSession(own)));
    sink.number(copy);
    sink.number(turns);
    sink.number(sessions.completed(session) ? 1 : 0);
    sink.number(sessions.startNanos(session));
    sink.numberOrNothing(sessions.completed(session) ? sessions.endNanos(session) : -1);
    sink.number(sessions.inputTokens(session));
    sink.number(sessions.hitTokens(session));
    sink.number(output);
    sink.number(workers.cardinality());
    sink.number(returns);
    AdmissionLog.SessionPauses pauses = facts.result().admission().sessions().get(session);
    sink.number(pauses == null ? 0 : pauses.count());
    sink.number(pauses == null ? 0 : pauses.nanos());
    sink.endRow();
  }
}

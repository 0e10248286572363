package io.orrery.reports.table;

import io.orrery.engine.record.LedgerClass;
import io.orrery.engine.record.RunColumns;
import io.orrery.engine.record.RunResult.Rejection;
import io.orrery.traces.Trace;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Every request that was sent, run by run. */
public final class RequestsTable {
  private static final LedgerClass[] CLASSES = LedgerClass.values();

  private RequestsTable() {}

  /** The table of some runs. */
  public static ResultTable of(List<RunRows> runs) {
    return new ResultTable(
        "requests",
        columns(),
        sink -> {
          for (RunRows run : runs) {
            write(run, sink);
          }
        });
  }

  private static List<ResultTable.Documented> columns() {
    TableColumns columns =
        new TableColumns()
            .text("run", "Variant.")
            .text("request", "Id in the trace.")
            .text("session", "Session id in the trace.")
            .number("turn", "Turn of the session, from 0.")
            .number("copy", "Recycling of the trace, from 0.")
            .text("state", "What became of it.")
            .maybe("worker", "Where it was placed.")
            .number("input_tokens", "Tokens of the prompt.")
            .number("output_tokens", "Output tokens that it got.")
            .number("clipped_tokens", "Output tokens that the model's length cut off.")
            .maybe("arrival_ns", "When the client sent it.")
            .maybe("admitted_ns", "When admission let it go on to the router.")
            .maybe("placed_ns", "When the router placed it.")
            .maybe("queued_ns", "When its worker's scheduler saw it.")
            .maybe("scheduled_ns", "When it first came into a step.")
            .maybe("first_token_ns", "End of the step that gave its first output token.")
            .maybe("second_token_ns", "When the second output token came.")
            .maybe("end_ns", "When it ended.")
            .number("preemptions", "How often it lost its blocks.")
            .number("redo_tokens", "Tokens computed again after preemptions.")
            .maybe("believed_tokens", "Leading input tokens that the router believed to be there.")
            .maybe("router_choice", "The router's worker; admission may have named another.")
            .text("pause_reason", "Why admission held it back; empty if it did not.");
    for (LedgerClass kind : CLASSES) {
      columns.number(kind.key(), "Input tokens of this class of the ledger.");
    }
    return columns.text("reason", "Why it was refused; empty if it was not.").list();
  }

  private static void write(RunRows run, RowSink sink) throws IOException {
    Map<Integer, String> reasons = new HashMap<>();
    for (Rejection rejection : run.facts().result().rejections()) {
      reasons.put(rejection.row(), rejection.reason());
    }
    RunColumns columns = run.facts().columns();
    for (int row = 0; row < columns.rows(); row++) {
      if (columns.dispatched(row)) {
        write(run, row, sink);
        sink.text(reasons.getOrDefault(row, ""));
        sink.endRow();
      }
    }
  }

  private static void write(RunRows run, int row, RowSink sink) throws IOException {
    Trace trace = run.facts().trace();
    RunColumns columns = run.facts().columns();
    int request = columns.request(row);
    sink.text(run.name());
    sink.text(trace.requestId(request));
    sink.text(trace.sessionId(trace.session(request)));
    sink.number(trace.turn(request));
    sink.number(columns.copy(row));
    sink.text(columns.state(row).name().toLowerCase(Locale.ROOT));
    sink.numberOrNothing(columns.worker(row));
    sink.number(trace.inputTokens(request));
    sink.number(columns.outputTokens(row));
    sink.number(columns.clippedTokens(row));
    sink.numberOrNothing(columns.arrivalNanos(row));
    sink.numberOrNothing(columns.admittedNanos(row));
    sink.numberOrNothing(columns.placedNanos(row));
    sink.numberOrNothing(columns.queuedNanos(row));
    sink.numberOrNothing(columns.scheduledNanos(row));
    sink.numberOrNothing(columns.firstTokenNanos(row));
    sink.numberOrNothing(columns.secondTokenNanos(row));
    sink.numberOrNothing(columns.endNanos(row));
    sink.number(columns.preemptions(row));
    sink.number(columns.redoTokens(row));
    sink.numberOrNothing(columns.believedTokens(row));
    sink.numberOrNothing(columns.routerChoice(row));
    int reason = columns.holdReason(row);
    sink.text(reason < 0 ? "" : run.facts().result().admission().reason(reason));
    for (LedgerClass kind : CLASSES) {
      sink.number(columns.ledger(kind, row));
    }
  }
}

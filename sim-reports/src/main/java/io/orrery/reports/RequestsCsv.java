package io.orrery.reports;

import io.orrery.engine.record.LedgerClass;
import io.orrery.engine.record.RunColumns;
import io.orrery.engine.record.RunResult;
import io.orrery.engine.record.RunResult.Rejection;
import io.orrery.traces.Trace;
import java.io.IOException;
import java.io.Writer;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Every request that was sent, a line each, run by run. Times are nanoseconds of simulated time;
 * what did not happen is empty. The ledger's classes sum to the input tokens of requests that were
 * scheduled.
 */
public final class RequestsCsv {
  private static final LedgerClass[] CLASSES = LedgerClass.values();

  private final Writer out;
  private final StringBuilder line = new StringBuilder();

  /** Writes the header. */
  public RequestsCsv(Writer out) throws IOException {
    this.out = out;
    line.append("run,request,session,turn,copy,state,worker,input_tokens,output_tokens,")
        .append("clipped_tokens,arrival_ns,placed_ns,queued_ns,scheduled_ns,first_token_ns,")
        .append("second_token_ns,end_ns,preemptions,redo_tokens,believed_tokens");
    for (LedgerClass kind : CLASSES) {
      line.append(',').append(kind.key());
    }
    line.append(",reason");
    endLine();
  }

  /** Writes the requests of a run. */
  public void write(String run, Trace trace, RunResult result) throws IOException {
    Map<Integer, String> reasons = new HashMap<>();
    for (Rejection rejection : result.rejections()) {
      reasons.put(rejection.row(), rejection.reason());
    }
    RunColumns columns = result.columns();
    for (int row = 0; row < columns.rows(); row++) {
      if (columns.dispatched(row)) {
        write(run, trace, columns, row);
        text(reasons.getOrDefault(row, ""));
        endLine();
      }
    }
  }

  private void write(String run, Trace trace, RunColumns columns, int row) {
    int r = columns.request(row);
    text(run);
    text(trace.requestId(r));
    text(trace.sessionId(trace.session(r)));
    number(trace.turn(r));
    number(columns.copy(row));
    text(columns.state(row).name().toLowerCase(Locale.ROOT));
    numberOrNothing(columns.worker(row));
    number(trace.inputTokens(r));
    number(columns.outputTokens(row));
    number(columns.clippedTokens(row));
    numberOrNothing(columns.arrivalNanos(row));
    numberOrNothing(columns.placedNanos(row));
    numberOrNothing(columns.queuedNanos(row));
    numberOrNothing(columns.scheduledNanos(row));
    numberOrNothing(columns.firstTokenNanos(row));
    numberOrNothing(columns.secondTokenNanos(row));
    numberOrNothing(columns.endNanos(row));
    number(columns.preemptions(row));
    number(columns.redoTokens(row));
    numberOrNothing(columns.believedTokens(row));
    for (LedgerClass kind : CLASSES) {
      number(columns.ledger(kind, row));
    }
  }

  private void number(long value) {
    comma();
    line.append(value);
  }

  private void numberOrNothing(long value) {
    comma();
    if (value >= 0) {
      line.append(value);
    }
  }

  private void text(String value) {
    comma();
    boolean quoted = value.chars().anyMatch(c -> c == ',' || c == '"' || c < ' ');
    if (quoted) {
      line.append('"').append(value.replace("\"", "\"\"")).append('"');
    } else {
      line.append(value);
    }
  }

  private void comma() {
    if (line.length() > 0) {
      line.append(',');
    }
  }

  private void endLine() throws IOException {
    line.append('\n');
    out.append(line);
    line.setLength(0);
  }
}

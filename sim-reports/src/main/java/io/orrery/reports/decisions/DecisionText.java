package io.orrery.reports.decisions;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.orrery.engine.record.Decision;
import java.io.IOException;
import java.io.Writer;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Writes decisions, a row each: lines of JSON, or CSV with the candidates in one column. Times are
 * milliseconds of simulated time, costs in the policy's own unit (blocks for kv-aware).
 */
public final class DecisionText {
  /** The columns of the CSV, in order. */
  static final String HEADER =
      "run,request,session,copy,time_ms,arrival_ms,pause_ms,pause_reason,router_wait_ms,router_wait_reason,replica,"
          + "worker,chosen,ties,cost,cost_regret,overlap_regret_blocks,regret_ms,input_tokens,believed_tokens,found_tokens,"
          + "outcome,candidates";

  private final Writer out;
  private final boolean csv;
  private final JsonFactory factory = new JsonFactory();

  /**
   * @param csv CSV instead of lines of JSON
   */
  public DecisionText(Writer out, boolean csv) {
    this.out = out;
    this.csv = csv;
  }

  /** The first line of the file; empty for JSON. */
  public static String header(boolean csv) {
    return csv ? HEADER + "\n" : "";
  }

  /** Writes one row. */
  public void write(String run, DecisionRow row) throws IOException {
    if (csv) {
      out.write(line(run, row));
    } else {
      try (JsonGenerator json = factory.createGenerator(out)) {
        json.configure(JsonGenerator.Feature.AUTO_CLOSE_TARGET, false);
        json.configure(JsonGenerator.Feature.FLUSH_PASSED_TO_STREAM, false);
        write(json, run, row);
      }
      out.write('\n');
    }
  }

  private static void write(JsonGenerator json, String run, DecisionRow row) throws IOException {
    Decision decision = row.decision();
    json.writeStartObject();
    json.writeStringField("run", run);
    json.writeStringField("request", row.request());
    json.writeStringField("session", row.session());
    json.writeNumberField("copy", row.copy());
    number(json, "time_ms", decision.nanos() / 1e6);
    number(json, "arrival_ms", row.arrivalNanos() / 1e6);
    if (row.pauseReason() != null) {
      number(json, "pause_ms", row.pausedNanos() / 1e6);
      json.writeStringField("pause_reason", row.pauseReason());
    }
    if (row.waitReason() != null) {
      number(json, "router_wait_ms", row.waitedNanos() / 1e6);
      json.writeStringField("router_wait_reason", row.waitReason());
    }
    json.writeNumberField("replica", decision.replica());
    json.writeNumberField("worker", decision.worker());
    json.writeNumberField("chosen", decision.workers()[decision.choice()]);
    json.writeNumberField("ties", decision.ties());
    number(json, "cost", decision.terms().cost(decision.choice()));
    number(json, "cost_regret", decision.costRegret());
    json.writeNumberField("overlap_regret_blocks", decision.overlapRegretBlocks());
    number(json, "regret_ms", decision.regretNanos() / 1e6);
    json.writeNumberField("input_tokens", row.inputTokens());
    json.writeNumberField("block_size", row.blockSize());
    if (row.believedTokens() >= 0) {
      json.writeNumberField("believed_tokens", row.believedTokens());
    }
    if (row.foundTokens() >= 0) {
      json.writeNumberField("found_tokens", row.foundTokens());
    }
    json.writeStringField("outcome", outcome(row));
    json.writeArrayFieldStart("candidates");
    for (int i = 0; i < decision.workers().length; i++) {
      json.writeStartObject();
      json.writeNumberField("worker", decision.workers()[i]);
      for (String name : decision.terms().names()) {
        number(json, name, decision.terms().value(i, name));
      }
      number(json, "cost", decision.terms().cost(i));
      if (decision.believedBlocks()[i] >= 0) {
        json.writeNumberField("believed_blocks", decision.believedBlocks()[i]);
      }
      json.writeNumberField("held_blocks", decision.heldBlocks()[i]);
      number(json, "first_token_ms", decision.firstTokenNanos()[i] / 1e6);
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void number(JsonGenerator json, String name, double value) throws IOException {
    String text = text(value);
    if (!text.isEmpty()) {
      json.writeFieldName(name);
      json.writeNumber(text);
    }
  }

  private static String outcome(DecisionRow row) {
    return row.outcome() == null ? "unfinished" : row.outcome().name().toLowerCase(Locale.ROOT);
  }

  private static String line(String run, DecisionRow row) {
    Decision decision = row.decision();
    StringBuilder candidates = new StringBuilder();
    for (int i = 0; i < decision.workers().length; i++) {
      candidates.append(i == 0 ? "" : "; ").append(decision.workers()[i]);
      for (String name : decision.terms().names()) {
        candidates.append(' ').append(name).append('=');
        candidates.append(text(decision.terms().value(i, name)));
      }
      String cost = text(decision.terms().cost(i));
      candidates.append(cost.isEmpty() ? "" : " cost=" + cost);
      candidates.append(" held_blocks=").append(decision.heldBlocks()[i]);
      candidates.append(" first_token_ms=").append(text(decision.firstTokenNanos()[i] / 1e6));
    }
    boolean paused = row.pauseReason() != null;
    boolean waited = row.waitReason() != null;
    return String.join(
            ",",
            quoted(run),
            quoted(row.request()),
            quoted(row.session()),
            Integer.toString(row.copy()),
            text(decision.nanos() / 1e6),
            text(row.arrivalNanos() / 1e6),
            paused ? text(row.pausedNanos() / 1e6) : "",
            quoted(row.pauseReason()),
            waited ? text(row.waitedNanos() / 1e6) : "",
            quoted(row.waitReason()),
            Integer.toString(decision.replica()),
            Integer.toString(decision.worker()),
            Integer.toString(decision.workers()[decision.choice()]),
            Integer.toString(decision.ties()),
            text(decision.terms().cost(decision.choice())),
            text(decision.costRegret()),
            Integer.toString(decision.overlapRegretBlocks()),
            text(decision.regretNanos() / 1e6),
            Integer.toString(row.inputTokens()),
            row.believedTokens() < 0 ? "" : Integer.toString(row.believedTokens()),
            row.foundTokens() < 0 ? "" : Integer.toString(row.foundTokens()),
            outcome(row),
            quoted(candidates.toString()))
        + "\n";
  }

  /** At most nine digits, without an exponent; nothing for what is no number. */
  static String text(double value) {
    if (!Double.isFinite(value)) {
      return "";
    }
    BigDecimal rounded = new BigDecimal(value).round(new MathContext(9)).stripTrailingZeros();
    return rounded.signum() == 0 ? "0" : rounded.toPlainString();
  }

  private static String quoted(@Nullable String text) {
    if (text == null) {
      return "";
    }
    return text.chars().anyMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r')
        ? "\"" + text.replace("\"", "\"\"") + "\""
        : text;
  }
}

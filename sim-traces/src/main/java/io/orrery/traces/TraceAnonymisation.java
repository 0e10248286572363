package io.orrery.traces;

import io.orrery.traces.columns.LongColumn;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A trace that one can give away. Ids and names of sessions, requests, models, adapters, workers
 * and tools become keyed hashes (HMAC-SHA-256, 64 bits of it): equal ones stay equal, and nobody
 * without the salt can try names out. Finish reasons outside of the usual ones, too. Blocks have no
 * names left in a trace, only numbers. Names and digests of the source files are dropped. Times are
 * rounded down.
 */
public final class TraceAnonymisation {
  private static final Set<String> FINISH_REASONS =
      Set.of("stop", "length", "tool_calls", "tool_use", "end_turn", "max_tokens", "error", "eos");

  private final Mac mac;
  private final long roundNanos;

  private TraceAnonymisation(byte[] salt, long roundNanos) {
    this.roundNanos = roundNanos;
    try {
      mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(salt, "HmacSHA256"));
    } catch (NoSuchAlgorithmException | InvalidKeyException e) {
      throw new IllegalStateException("every Java platform has HMAC-SHA-256", e);
    }
  }

  /**
   * The trace without names.
   *
   * @param salt secret, at least one byte
   * @param roundNanos times and waits become multiples of it, at least 1
   */
  public static Trace of(Trace trace, byte[] salt, long roundNanos) {
    return new TraceAnonymisation(salt, roundNanos).anonymised(trace);
  }

  private Trace anonymised(Trace trace) {
    TraceColumns in = trace.columns();
    TraceColumns out = in.under(provenance(in.provenance));
    out.requestIds = hashed(in.requestIds, "request");
    out.sessionIds = hashed(in.sessionIds, "session");
    out.model = hashed(in.model, "model");
    out.adapter = hashed(in.adapter, "adapter");
    out.worker = hashed(in.worker, "worker");
    out.tools = hashed(in.tools, "tool");
    out.finishReason = hashed(in.finishReason, "finish");
    out.arrival = rounded(in.arrival);
    out.ttft = in.ttft == null ? null : rounded(in.ttft);
    out.total = in.total == null ? null : rounded(in.total);
    out.edgeDelay = LongColumn.filled(in.edgeDelay.size(), 0);
    for (int e = 0; e < out.edgeDelay.size(); e++) {
      long delay = trace.edgeDelayNanos(e) / roundNanos * roundNanos;
      out.edgeDelay.set(e, in.edgeDelay.get(e) < 0 ? ~delay : delay);
    }
    return TraceRows.byStart(new Trace(out));
  }

  private TraceProvenance provenance(TraceProvenance source) {
    return new TraceProvenance(
        source.format(),
        List.of(),
        source.blockSize(),
        source.timeUnit(),
        source.partialBlockRule(),
        source.timeBasis(),
        source.turnSemantics(),
        Map.of(),
        List.of(
            String.format(
                Locale.ROOT,
                "Anonymised: names are keyed hashes, times multiples of %s ms.",
                roundNanos % 1_000_000 == 0
                    ? Long.toString(roundNanos / 1_000_000)
                    : Double.toString(roundNanos / 1e6))));
  }

  private LongColumn rounded(LongColumn times) {
    LongColumn result = times.copy();
    for (int i = 0; i < result.size(); i++) {
      long time = result.get(i);
      result.set(i, time == Trace.NO_TIME ? time : time / roundNanos * roundNanos);
    }
    return result;
  }

  private TextColumn hashed(TextColumn texts, String kind) {
    TextColumn result = new TextColumn();
    for (int i = 0; i < texts.size(); i++) {
      result.add(hash(texts.get(i), kind).getBytes(StandardCharsets.UTF_8));
    }
    return result;
  }

  /** Tools are lists: each by itself, so that one tool keeps one name. */
  private LabelColumn.Labels hashed(LabelColumn.Labels labels, String kind) {
    TextColumn result = new TextColumn();
    for (int i = 0; i < labels.texts().size(); i++) {
      StringBuilder text = new StringBuilder();
      String[] parts = labels.texts().get(i).split(kind.equals("tool") ? "," : "\0", -1);
      for (String part : parts) {
        boolean usual = kind.equals("finish") && FINISH_REASONS.contains(part);
        text.append(text.length() == 0 ? "" : ",").append(usual ? part : hash(part, kind));
      }
      result.add(text.toString().getBytes(StandardCharsets.UTF_8));
    }
    return new LabelColumn.Labels(labels.numbers(), result);
  }

  private String hash(String text, String kind) {
    byte[] digest = mac.doFinal((kind + "\0" + text).getBytes(StandardCharsets.UTF_8));
    return kind + "-" + HexFormat.of().formatHex(digest, 0, Long.BYTES);
  }
}

package io.orrery.traces;

import com.fasterxml.jackson.core.JsonToken;
import io.orrery.traces.columns.LongColumn;
import java.util.Set;

/**
 * Results of vLLM's and SGLang's serving benchmarks with per-request lists ({@code
 * --save-detailed}, {@code --output-details}): {@code input_lens}, {@code output_lens}, {@code
 * ttfts} and {@code itls} in s, and for vLLM {@code start_times} and {@code latencies}.
 *
 * <p>Where an output of several tokens came without a time between them, it came in one piece: its
 * {@code ttft} is the time of all of it, or 0, and not that of a first token.
 *
 * @see <a href="https://github.com/vllm-project/vllm">vllm bench serve</a>
 * @see <a href="https://github.com/sgl-project/sglang">sglang.bench_serving</a>
 */
final class BenchmarkReader implements TraceReader {
  static final Description DESCRIPTION =
      Description.withoutBlocks(
          "s",
          "the earliest start is 0; without start_times all requests are at 0 and have no clock in"
              + " common",
          "each request is a session");

  private static final long NANOS_PER_S = 1_000_000_000;

  private final TraceAssembler assembler;
  private final LongColumn inputs = new LongColumn();
  private final LongColumn outputs = new LongColumn();
  private final LongColumn starts = new LongColumn();
  private final LongColumn ttfts = new LongColumn();

  /** Sums of the times between tokens, {@link Trace#NO_TIME} where there are none. */
  private final LongColumn decodes = new LongColumn();

  private final LongColumn latencies = new LongColumn();
  private final LongColumn failures = new LongColumn();
  private String model = "";

  BenchmarkReader(TraceAssembler assembler, TraceOptions options) {
    this.assembler = assembler;
    assembler.blockSize(options.blockSize() > 0 ? options.blockSize() : GrownPrompts.BLOCK_SIZE);
  }

  static boolean recognises(FirstObject object) {
    return object.hasAll("input_lens", "output_lens");
  }

  /** Whether the keys are those of a run's results without the lists of its requests. */
  static boolean isSummary(Set<String> keys) {
    return keys.containsAll(Set.of("duration", "completed", "request_throughput"));
  }

  @Override
  public void read(JsonRows rows) {
    while (rows.nextRow()) {
      if (assembler.requestCount() > 0) {
        throw rows.wrong(null, "a second run", "the results of one run");
      }
      for (LongColumn list :
          new LongColumn[] {inputs, outputs, starts, ttfts, decodes, latencies, failures}) {
        list.clear();
      }
      for (String field; (field = rows.nextField()) != null; ) {
        readField(rows, field);
      }
      check(rows, "output_lens", outputs, false);
      check(rows, "start_times", starts, true);
      check(rows, "ttfts", ttfts, true);
      check(rows, "itls", decodes, true);
      check(rows, "latencies", latencies, true);
      check(rows, "errors", failures, true);
      add(rows.rowLine());
    }
  }

  private void readField(JsonRows rows, String field) {
    switch (field) {
      case "model_id", "model" -> {
        String text = rows.scalarOrNull(field);
        model = text == null ? "" : text;
      }
      case "input_lens" -> readLengths(rows, field, inputs, 0);
      case "output_lens" -> readLengths(rows, field, outputs, 0);
      case "start_times" -> readTimes(rows, field, starts);
      case "ttfts" -> readTimes(rows, field, ttfts);
      case "itls" -> readSums(rows, field);
      case "latencies" -> readTimes(rows, field, latencies);
      case "errors" -> {
        if (rows.enter(field, JsonToken.START_ARRAY)) {
          for (JsonToken token; (token = rows.nextElement()) != null; ) {
            boolean none = token == JsonToken.VALUE_NULL;
            failures.add(none || rows.currentText().isEmpty() ? 0 : 1);
            rows.skipElement();
          }
        }
      }
      default -> rows.skip();
    }
  }

  private static void readLengths(JsonRows rows, String field, LongColumn into, long least) {
    if (rows.enter(field, JsonToken.START_ARRAY)) {
      while (rows.nextElement() != null) {
        into.add(rows.elementWhole(field, least, TraceAssembler.MAX_TOKENS));
      }
    }
  }

  private static void readTimes(JsonRows rows, String field, LongColumn into) {
    if (rows.enter(field, JsonToken.START_ARRAY)) {
      while (rows.nextElement() != null) {
        into.add(rows.elementNanos(field, NANOS_PER_S, "s"));
      }
    }
  }

  private void readSums(JsonRows rows, String field) {
    if (!rows.enter(field, JsonToken.START_ARRAY)) {
      return;
    }
    for (JsonToken token; (token = rows.nextElement()) != null; ) {
      if (token != JsonToken.START_ARRAY) {
        throw rows.wrong(field, rows.found(), "lists of times");
      }
      long sum = Trace.NO_TIME;
      while (rows.nextElement() != null) {
        long time = rows.elementNanos(field, NANOS_PER_S, "s");
        sum = Math.min(Decimals.MAX_NANOS, Math.max(0, sum) + time);
      }
      decodes.add(sum);
    }
  }

  private void check(JsonRows rows, String field, LongColumn list, boolean optional) {
    if (list.size() != inputs.size() && !(optional && list.size() == 0)) {
      throw rows.wrong(
          field, list.size() + " values", inputs.size() + ", as many as input_lens has");
    }
    if (inputs.size() == 0) {
      throw rows.wrong("input_lens", "no requests", "at least one request");
    }
  }

  private void add(int line) {
    boolean clock = starts.size() > 0;
    assembler.sharedClock(clock);
    if (clock) {
      assembler.originAtFirstArrival();
    } else {
      assembler.note(
          "There are no start_times: when requests were sent is unknown, so each starts at 0 of its own.");
    }
    for (int i = 0; i < inputs.size(); i++) {
      boolean failed = failures.size() > 0 && failures.get(i) > 0;
      if (inputs.get(i) == 0 || (failed && outputs.get(i) == 0)) {
        assembler.count("failed requests, left out");
      } else {
        addOne(i, line, clock);
      }
    }
  }

  private void addOne(int i, int line, boolean clock) {
    RequestDraft draft = new RequestDraft();
    draft.input = (int) inputs.get(i);
    draft.output = (int) outputs.get(i);
    draft.model = model;
    draft.ttft = timeOrNone(ttfts, i);
    draft.total = timeOrNone(latencies, i);
    if (decodes.size() > 0) {
      long decode = decodes.get(i);
      if (draft.total == Trace.NO_TIME && draft.ttft != Trace.NO_TIME) {
        draft.total = Math.min(Decimals.MAX_NANOS, draft.ttft + Math.max(0, decode));
      }
      if (draft.output > 1 && decode == Trace.NO_TIME && draft.ttft != Trace.NO_TIME) {
        assembler.count("outputs that came in one piece, whose first token has no time");
        draft.ttft = Trace.NO_TIME;
      }
    }
    int r = DraftedRequests.open(assembler, line, assembler.lastFile(), draft);
    assembler.arrival(r, clock ? starts.get(i) : 0);
  }

  /** What was not measured is 0 in these lists. */
  private static long timeOrNone(LongColumn list, int i) {
    return list.size() > 0 && list.get(i) > 0 ? list.get(i) : Trace.NO_TIME;
  }

  @Override
  public void finish() {
    if (assembler.requestCount() == 0) {
      throw new TraceException(
          assembler.fileName(0), 0, "input_lens", "failed requests only", "one that did not fail");
    }
  }
}

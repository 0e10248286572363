package io.orrery.scenarios.fidelity;

import io.orrery.scenarios.measured.SourceNames;
import io.orrery.scenarios.text.Position;
import io.orrery.scenarios.text.ScenarioException;
import io.orrery.scenarios.text.YamlReader;
import io.orrery.traces.Trace;
import io.orrery.traces.TraceFormat;
import io.orrery.traces.TraceOptions;
import io.orrery.traces.TraceReaders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A measured open-loop run of vLLM with the times of every request, as LLMServingSim writes them: a
 * file {@code NAME.vllm_requests.jsonl}; beside it {@code NAME.meta.json} (how the engine was
 * started), {@code NAME.config.json} (on what), and the workload that the metadata name.
 *
 * @param file the file of requests
 * @param version vLLM's version
 * @param model the model
 * @param gpu the GPU
 * @param tensorParallel GPUs of the worker
 * @param maxSequences requests that may be running at once
 * @param batchedTokens token budget of a step
 * @param memoryShare share of the memory that vLLM takes
 * @param kvBlocks KV blocks that vLLM had, 0 where unknown
 * @param blockSize tokens of a block
 * @param linkBytesPerSecond link between GPUs, one way
 * @param linkLatencyMicros its latency
 * @param workload what was sent, block hashes and all
 * @param requests what was measured, in the order of the workload
 */
record RequestRun(
    String file,
    String version,
    String model,
    String gpu,
    int tensorParallel,
    int maxSequences,
    int batchedTokens,
    double memoryShare,
    int kvBlocks,
    int blockSize,
    double linkBytesPerSecond,
    double linkLatencyMicros,
    Trace workload,
    List<Request> requests) {
  static final String SUFFIX = ".vllm_requests.jsonl";
  private static final int BLOCK_SIZE = 16;
  private static final double GIGA = 1e9;
  private static final double NANOS_PER_MICRO = 1e3;

  /**
   * A measured request; times in seconds of one clock, whose origin is the first request's arrival.
   */
  record Request(int inputTokens, int outputTokens, double arrival, double first, double last) {}

  /**
   * Reads a run.
   *
   * @throws ScenarioException if a file or field is missing or makes no sense, or the workload is
   *     not what was measured
   */
  static RequestRun read(Path file) throws IOException {
    String name = file.getFileName().toString();
    String base = name.substring(0, name.length() - SUFFIX.length());
    Path metaFile = file.resolveSibling(base + ".meta.json");
    JsonFields meta = JsonFields.of(YamlReader.read(metaFile, "the run's metadata"));
    JsonFields engine = meta.object("engine_kwargs");
    JsonFields cluster =
        JsonFields.of(
            YamlReader.read(file.resolveSibling(base + ".config.json"), "the run's cluster"));
    JsonFields instance = cluster.first("nodes").first("instances");
    boolean knowsCache = meta.has("kv_cache");
    Trace workload = workload(file, meta.text("dataset_path"));
    RequestRun run =
        new RequestRun(
            file.toString(),
            meta.text("vllm_version"),
            SourceNames.model(meta.text("model")),
            gpu(instance.text("hardware")),
            engine.whole("tensor_parallel_size", 1),
            engine.whole("max_num_seqs", 1),
            engine.whole("max_num_batched_tokens", 1),
            knowsCache ? meta.object("kv_cache").number("gpu_memory_utilization", 0) : 0.9,
            knowsCache ? meta.object("kv_cache").whole("num_gpu_blocks", 2) : 0,
            BLOCK_SIZE,
            cluster.number("link_bw", 0) * GIGA,
            cluster.number("link_latency", 0) / NANOS_PER_MICRO,
            workload,
            requests(file));
    run.requireSameWorkload();
    return run;
  }

  /** {@code RTXPRO6000} is rtx-pro-6000. */
  private static String gpu(String hardware) {
    return switch (hardware.toUpperCase(Locale.ROOT)) {
      case "RTXPRO6000" -> "rtx-pro-6000";
      case "RTX4090" -> "rtx-4090";
      default -> hardware.toLowerCase(Locale.ROOT);
    };
  }

  private static Trace workload(Path file, String dataset) {
    String name = dataset.substring(dataset.lastIndexOf('/') + 1);
    String stem = name.endsWith(".jsonl") ? name.substring(0, name.length() - 6) : name;
    Path path = file.resolveSibling(stem + ".mooncake16.jsonl");
    return TraceReaders.read(
        List.of(path),
        TraceOptions.defaults().withFormat(TraceFormat.MOONCAKE).withBlockSize(BLOCK_SIZE));
  }

  private static List<Request> requests(Path file) throws IOException {
    List<String> lines = Files.readAllLines(file);
    List<double[]> times = new ArrayList<>();
    List<int[]> tokens = new ArrayList<>();
    double clocks = Double.POSITIVE_INFINITY;
    for (int i = 0; i < lines.size(); i++) {
      Position position = new Position(file.toString(), i + 1, 0);
      JsonFields fields = JsonFields.ofLine(lines.get(i), position);
      double arrival = fields.number("arrival_time", 0);
      clocks = Math.min(clocks, fields.number("queued_ts", 0) - arrival);
      times.add(
          new double[] {
            arrival, fields.number("first_token_ts", 0), fields.number("last_token_ts", 0)
          });
      tokens.add(new int[] {fields.whole("input_toks", 1), fields.whole("output_toks", 1)});
    }
    if (lines.isEmpty()) {
      throw new ScenarioException(
          Position.of(file.toString()), "", "no requests", "a request a line");
    }
    // Arrivals are of the wall clock; the request that was queued soonest tells the difference.
    double origin = times.get(0)[0];
    List<Request> requests = new ArrayList<>();
    for (int i = 0; i < times.size(); i++) {
      double[] t = times.get(i);
      requests.add(
          new Request(
              tokens.get(i)[0],
              tokens.get(i)[1],
              t[0] - origin,
              t[1] - clocks - origin,
              t[2] - clocks - origin));
    }
    return List.copyOf(requests);
  }

  private void requireSameWorkload() {
    if (workload.requestCount() != requests.size()) {
      throw new ScenarioException(
          Position.of(file),
          "",
          requests.size() + " requests",
          workload.requestCount() + ", as in the workload");
    }
    for (int r = 0; r < requests.size(); r++) {
      Request request = requests.get(r);
      if (request.inputTokens() != workload.inputTokens(r)
          || request.outputTokens() != workload.outputTokens(r)) {
        throw new ScenarioException(
            new Position(file, r + 1, 0),
            "input_toks, output_toks",
            request.inputTokens() + ", " + request.outputTokens(),
            workload.inputTokens(r) + ", " + workload.outputTokens(r) + ", as in the workload");
      }
    }
  }

  /** Means over the requests from {@code from} to before {@code to}. */
  Told measured(int from, int to) {
    double ttft = 0;
    double tpot = 0;
    double endToEnd = 0;
    double tokens = 0;
    double begin = Double.POSITIVE_INFINITY;
    double end = 0;
    for (Request request : requests.subList(from, to)) {
      ttft += request.first() - request.arrival();
      endToEnd += request.last() - request.arrival();
      tpot += (request.last() - request.first()) / Math.max(1, request.outputTokens() - 1);
      tokens += request.outputTokens();
      begin = Math.min(begin, request.arrival());
      end = Math.max(end, request.last());
    }
    double millis = 1e3 / (to - from);
    return new Told(ttft * millis, tpot * millis, endToEnd * millis, tokens / (end - begin));
  }
}

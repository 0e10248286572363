package io.orrery.scenarios.fidelity;

import io.orrery.scenarios.measured.ClosedLoopRow;
import io.orrery.scenarios.measured.SourceNames;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What was measured: the worker and its load, in our names.
 *
 * @param file the file, as the user named it
 * @param line where the measurement stands, 0 for a file of one
 * @param system the GPU
 * @param engine the engine
 * @param version its version, empty if unknown
 * @param model the model
 * @param weights precision of the weights, as the source calls it
 * @param inputTokens nominal prompt length, 0 where lengths are recorded
 * @param outputTokens nominal output length, 0 where lengths are recorded
 * @param concurrency requests in flight, 0 for an open loop
 * @param tensorParallel GPUs of the worker
 * @param expertParallel groups that experts are dealt to
 * @param attentionParallel replicas of the attention
 * @param requests which requests are judged, empty for all
 */
public record Configuration(
    String file,
    int line,
    String system,
    String engine,
    String version,
    String model,
    String weights,
    int inputTokens,
    int outputTokens,
    int concurrency,
    int tensorParallel,
    int expertParallel,
    int attentionParallel,
    String requests) {
  /** What one may filter by, in the order of reports. */
  public static final List<String> KEYS =
      List.of(
          "system",
          "engine",
          "version",
          "model",
          "weights",
          "input",
          "output",
          "concurrency",
          "tp",
          "ep",
          "attention_dp");

  static Configuration of(ClosedLoopRow row) {
    return new Configuration(
        row.file(),
        row.line(),
        SourceNames.gpu(row.system()),
        row.engine(),
        row.engineVersion(),
        SourceNames.model(row.model()),
        row.expertFormat(),
        row.inputTokens(),
        row.outputTokens(),
        row.concurrency(),
        row.tensorParallel(),
        row.expertParallel(),
        row.attentionParallel(),
        "");
  }

  /** The same worker and load; these of its requests are judged. */
  Configuration withRequests(String judged) {
    return new Configuration(
        file,
        line,
        system,
        engine,
        version,
        model,
        weights,
        inputTokens,
        outputTokens,
        concurrency,
        tensorParallel,
        expertParallel,
        attentionParallel,
        judged);
  }

  /** The values of {@link #KEYS}, in that order. */
  public Map<String, String> keys() {
    Object[] values = {
      system,
      engine,
      version,
      model,
      weights,
      inputTokens,
      outputTokens,
      concurrency,
      tensorParallel,
      expertParallel,
      attentionParallel
    };
    Map<String, String> keys = new LinkedHashMap<>();
    for (int i = 0; i < values.length; i++) {
      keys.put(KEYS.get(i), String.valueOf(values[i]));
    }
    return keys;
  }
}

package io.orrery.reports.footprint;

import io.orrery.models.MemoryFootprint;
import io.orrery.models.MemoryFootprint.Stage;
import io.orrery.models.ModelArchitecture;
import io.orrery.reports.JsonText;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A footprint for programs: one JSON document. Where a combination fits, {@code weights +
 * activations + reserve + kvCache + unused} is the memory of the GPU, to the byte; where it does
 * not, {@code missingBytes} says what a GPU lacks for one token.
 */
public final class FootprintDocument {
  /** Version of the document's form. */
  public static final int SCHEMA_VERSION = 1;

  private FootprintDocument() {}

  /** The document, ending with a new line. */
  public static String of(FootprintQuery query, List<FootprintEntry> entries, String version) {
    Map<String, Object> root = new LinkedHashMap<>();
    root.put("schemaVersion", SCHEMA_VERSION);
    root.put("version", version);
    root.put("model", model(query.model()));
    root.put("engine", query.engine().preset());
    root.put("memoryShareOf", query.engine().shareOf().option());
    root.put("pipelineParallel", query.pipelineParallel());
    root.put("expertParallel", query.expertParallel());
    root.put("attentionDataParallel", query.attentionDataParallel());
    root.put("draftLayers", query.draftLayers());
    root.put("maxBatchedTokens", query.maxBatchedTokens());
    root.put("maxSequences", query.maxSequences());
    root.put("sessionTokens", query.context());
    root.put("prefixCaching", query.prefixCaching());
    root.put("notes", FootprintNotes.of(query, entries));
    List<Object> list = new ArrayList<>();
    entries.forEach(entry -> list.add(entry(query, entry)));
    root.put("footprints", list);
    return JsonText.of(root);
  }

  private static Map<String, Object> model(ModelArchitecture model) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("name", model.name());
    object.put("publishedAs", model.publishedAs());
    object.put("totalParameters", model.parameters().total());
    object.put("activeParameters", model.parameters().active());
    object.put("stateBytesPerSequence", model.stateBytesPerSequence());
    return object;
  }

  private static Map<String, Object> entry(FootprintQuery query, FootprintEntry entry) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("gpu", entry.gpu().name());
    object.put("tensorParallel", entry.tensorParallel());
    object.put("weights", entry.weights().label());
    object.put("kv", entry.kv().label());
    object.put("fits", entry.fits());
    MemoryFootprint memory = entry.memory();
    if (memory == null) {
      object.put("obstacle", entry.obstacle());
      return object;
    }
    object.put("memoryShare", BigDecimal.valueOf(memory.share()));
    if (!memory.fits()) {
      object.put("missingBytes", memory.missingBytes());
      object.put("wouldFit", memory.whatFits());
    }
    Stage stage = memory.tightestStage();
    object.put("oneGpu", gpu(memory, stage));
    object.put("workerWeightBytes", memory.workerWeightBytes());
    object.put(
        "kvBytesPerTokenAllGpus",
        BigDecimal.valueOf(memory.deployment().kvBytesPerToken()).stripTrailingZeros());
    object.put("stateBoundaryTokens", memory.deployment().stateBoundaryTokens());
    object.put("tokens", entry.tokens(query.prefixCaching()));
    object.put("sessions", entry.sessions(query.context(), query.prefixCaching()));
    return object;
  }

  private static Map<String, Object> gpu(MemoryFootprint memory, Stage stage) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("memoryBytes", memory.deployment().gpu().memoryBytes());
    object.put("weightBytes", stage.weightBytes());
    object.put("activationBytes", memory.activationBytes());
    object.put("reserveBytes", memory.reserveBytes());
    if (memory.fits()) {
      object.put("kvCacheBytes", stage.kvBytes());
      object.put("unusedBytes", memory.unusedBytes(stage));
    }
    object.put("kvBytesPerToken", BigDecimal.valueOf(stage.kvBytesPerToken()).stripTrailingZeros());
    return object;
  }
}

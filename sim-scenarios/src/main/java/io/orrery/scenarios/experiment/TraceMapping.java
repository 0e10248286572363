package io.orrery.scenarios.experiment;

import io.orrery.models.Names;
import io.orrery.scenarios.EffectiveConfig;
import io.orrery.scenarios.Variant;
import io.orrery.scenarios.spec.ScenarioSpec;
import io.orrery.scenarios.spec.TraceSource;
import io.orrery.traces.BlockView;
import io.orrery.traces.ColumnMapping;
import io.orrery.traces.Trace;
import io.orrery.traces.TraceException;
import io.orrery.traces.TraceFormat;
import io.orrery.traces.TraceOptions;
import io.orrery.traces.TraceProvenance;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reads a variant's trace, and says what had to be assumed to understand it. */
final class TraceMapping {
  private static final String BY_CONTENT = "auto";

  private final Variant variant;
  private final TraceSource source;

  TraceMapping(Variant variant) {
    this.variant = variant;
    this.source = variant.spec().trace().source();
  }

  /** Equal for variants that read the same files in the same way. */
  String key() {
    return source.format()
        + " "
        + source.blockSize()
        + " "
        + source.map()
        + " "
        + source.sharedSystemPrefix()
        + " "
        + source.places();
  }

  Trace readTrace(TraceOpener opener) {
    TraceOptions options =
        new TraceOptions(format(), source.blockSize().orElse(0), source.sharedSystemPrefix());
    return opener.open(
        source.places(), source.map().map(this::columns).map(options::withColumns).orElse(options));
  }

  private ColumnMapping columns(String map) {
    TraceFormat format = format();
    if (format != null && format != TraceFormat.MAPPED) {
      throw variant
          .config()
          .refusal(
              "trace.map",
              "a column mapping beside trace.format " + format.formatName(),
              "trace.format auto or mapped, or no mapping");
    }
    try {
      return ColumnMapping.parse(map);
    } catch (TraceException e) {
      throw variant.config().refusal("trace.map", e.value(), e.expected());
    }
  }

  private @Nullable TraceFormat format() {
    if (source.format().equals(BY_CONTENT)) {
      return null;
    }
    List<String> known = Arrays.stream(TraceFormat.values()).map(TraceFormat::formatName).toList();
    if (!known.contains(source.format())) {
      throw variant
          .config()
          .refusal(
              "trace.format",
              "auto or one of "
                  + String.join(", ", known)
                  + Names.didYouMean(source.format(), known));
    }
    return TraceFormat.named(source.format());
  }

  BlockView view(Trace trace) {
    int blockSize = variant.spec().engine().blockSize();
    if (trace.blockSize() % blockSize != 0 && blockSize % trace.blockSize() != 0) {
      EffectiveConfig config = variant.config();
      if (config.writtenOf("engine.blockSize", "trace.blockSize").equals("trace.blockSize")) {
        String origin = config.get("engine.blockSize").orElseThrow().origin().text();
        throw config.refusal(
            "trace.blockSize",
            "a size that divides engine.blockSize, "
                + blockSize
                + " ("
                + origin
                + "), or a multiple of it");
      }
      throw config.refusal(
          "engine.blockSize",
          "a size that divides the trace's blocks of "
              + trace.blockSize()
              + " tokens, or a multiple of them");
    }
    return BlockView.of(
        trace, SchedulerMapping.identityBlockSize(variant.spec().engine(), trace.blockSize()));
  }

  /** What the trace's reader noted and counted, and what the cache assumes about outputs. */
  static List<String> assumptions(ScenarioSpec spec, Trace trace) {
    List<String> assumptions = new ArrayList<>();
    double reuse = spec.completionReuse();
    if (trace.blockCount() == 0) {
      assumptions.add(
          "The trace names no blocks: every prompt is computed in full, and hit rates are unknown.");
    } else if (reuse >= 1) {
      assumptions.add(
          "Outputs come back unchanged in the next prompt of their session where the trace allows it"
              + " (cache.completionReuse: verbatim); none is the other end.");
    } else if (reuse > 0) {
      assumptions.add(
          "Outputs come back unchanged in the next prompt of their session with probability "
              + reuse
              + " (cache.completionReuse).");
    }
    TraceProvenance provenance = trace.provenance();
    assumptions.addAll(provenance.notes());
    provenance
        .counters()
        .forEach(
            (what, times) ->
                assumptions.add(String.format(Locale.ROOT, "Trace: %s: %,d.", what, times)));
    return assumptions;
  }
}

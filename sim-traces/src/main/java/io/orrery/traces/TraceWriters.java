package io.orrery.traces;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The formats that can be written: one line each. */
public final class TraceWriters {
  private static final Map<TraceFormat, TraceWriter> WRITERS = new EnumMap<>(TraceFormat.class);

  static {
    WRITERS.put(TraceFormat.ORRERY, new OrreryTraceWriter());
    WRITERS.put(TraceFormat.MOONCAKE, new MooncakeTraceWriter());
    WRITERS.put(TraceFormat.AGENTIC_MOONCAKE, new AgenticMooncakeTraceWriter());
    WRITERS.put(TraceFormat.WEKA, new WekaTraceWriter());
    WRITERS.put(TraceFormat.DYNAMO, new DynamoTraceWriter());
  }

  private TraceWriters() {}

  /** The writer of a format, empty where it can only be read. */
  public static Optional<TraceWriter> of(TraceFormat format) {
    return Optional.ofNullable(WRITERS.get(format));
  }

  /** The formats that can be written. */
  public static List<TraceFormat> formats() {
    return List.copyOf(WRITERS.keySet());
  }
}

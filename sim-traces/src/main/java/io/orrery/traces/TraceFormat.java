package io.orrery.traces;

import java.util.Locale;
import java.util.StringJoiner;

/** The trace formats that can be read: one line each. {@code docs/traces.md} describes them. */
public enum TraceFormat {
  /** Mooncake JSON lines, with or without sessions and delays. */
  MOONCAKE("mooncake", MooncakeReader::recognises, MooncakeReader::new),
  /** Claude Code sessions of kv-cache-tester, one JSON object per session. */
  WEKA("weka", WekaReader::recognises, WekaReader::new),
  /** Dynamo request trace v1, bare or wrapped by a sink. */
  DYNAMO("dynamo", DynamoReader::recognises, DynamoReader::new);

  private final String formatName;
  private final Recogniser recogniser;
  private final TraceReader.Factory factory;

  TraceFormat(String formatName, Recogniser recogniser, TraceReader.Factory factory) {
    this.formatName = formatName;
    this.recogniser = recogniser;
    this.factory = factory;
  }

  /** The name in scenario files and reports. */
  public String formatName() {
    return formatName;
  }

  /**
   * The format of this name.
   *
   * @throws IllegalArgumentException naming the known ones
   */
  public static TraceFormat named(String name) {
    for (TraceFormat format : values()) {
      if (format.formatName.equals(name.toLowerCase(Locale.ROOT))) {
        return format;
      }
    }
    throw new IllegalArgumentException("trace format: found " + name + ", expected " + names());
  }

  static String names() {
    StringJoiner names = new StringJoiner(", ");
    for (TraceFormat format : values()) {
      names.add(format.formatName);
    }
    return names.toString();
  }

  boolean recognises(FirstObject object) {
    return recogniser.recognises(object);
  }

  TraceReader reader(TraceAssembler assembler, TraceOptions options) {
    return factory.create(assembler, options);
  }

  /** Tells a format by the first object of a file, which may not be read to its end yet. */
  interface Recogniser {
    boolean recognises(FirstObject object);
  }
}

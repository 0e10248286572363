package io.orrery.traces;

import java.util.Locale;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * The trace formats that can be read: one line each. {@code docs/traces.md} describes them. A
 * format is told by the first object of a file, or a table's header; the first line that recognises
 * it wins.
 */
public enum TraceFormat {
  /** Orrery's own: Parquet, one row a request. */
  ORRERY(
      "orrery",
      "Orrery's own (Parquet)",
      Container.PARQUET,
      OrreryTraceReader.DESCRIPTION,
      o -> false,
      null),
  /** Mooncake JSON lines, with or without sessions and delays. */
  MOONCAKE(
      "mooncake",
      "Mooncake",
      Container.JSON,
      MooncakeReader.DESCRIPTION,
      MooncakeReader::recognises,
      MooncakeReader::new),
  /** Mooncake rows that hold increments. */
  MOONCAKE_DELTA(
      "mooncake-delta",
      "Mooncake increments",
      Container.JSON,
      MooncakeDeltaReader.DESCRIPTION,
      o -> false,
      MooncakeDeltaReader::new),
  /** Mooncake rows with dependencies, versions 1 and 2. */
  AGENTIC_MOONCAKE(
      "agentic-mooncake",
      "Agentic Mooncake",
      Container.JSON,
      AgenticMooncakeReader.DESCRIPTION,
      AgenticMooncakeReader::recognises,
      AgenticMooncakeReader::new),
  /** Qwen-Bailian usage traces. */
  BAILIAN(
      "bailian",
      "Qwen-Bailian",
      Container.JSON,
      BailianReader.DESCRIPTION,
      BailianReader::recognises,
      BailianReader::new),
  /** Claude Code sessions of kv-cache-tester, one JSON object per session. */
  WEKA(
      "weka",
      "Claude Code sessions (\"Weka\", AgentX)",
      Container.JSON,
      WekaReader.DESCRIPTION,
      WekaReader::recognises,
      WekaReader::new),
  /** Dynamo request trace v1, bare or wrapped by a sink. */
  DYNAMO(
      "dynamo",
      "Dynamo request trace",
      Container.JSON,
      DynamoReader.DESCRIPTION,
      DynamoReader::recognises,
      DynamoReader::new),
  /** Dynamo's older agent trace, bare or wrapped by a sink. */
  DYNAMO_AGENT(
      "dynamo-agent",
      "Dynamo agent trace (older)",
      Container.JSON,
      DynamoReader.AGENT_DESCRIPTION,
      DynamoReader::recognisesAgent,
      DynamoReader::ofAgents),
  /** Applied Compute's rollouts, one row per session. */
  APPLIED_COMPUTE(
      "applied-compute",
      "Applied Compute",
      Container.JSON,
      AppliedComputeReader.DESCRIPTION,
      AppliedComputeReader::recognises,
      AppliedComputeReader::new),
  /** TraceLab's rounds. */
  TRACELAB(
      "tracelab",
      "TraceLab rounds",
      Container.JSON,
      TraceLabReader.DESCRIPTION,
      TraceLabReader::recognises,
      TraceLabReader::new),
  /** TraceLab's session tables. */
  SESSION_ROUNDS(
      "session-rounds",
      "TraceLab session table",
      Container.TABLE,
      SessionRoundsReader.DESCRIPTION,
      SessionRoundsReader::recognises,
      SessionRoundsReader::new),
  /** Azure's tables of 2023 and 2024. */
  AZURE(
      "azure",
      "Azure LLM inference",
      Container.TABLE,
      AzureReader.DESCRIPTION,
      AzureReader::recognises,
      AzureReader::new),
  /** BurstGPT's tables. */
  BURSTGPT(
      "burstgpt",
      "BurstGPT",
      Container.TABLE,
      BurstGptReader.DESCRIPTION,
      BurstGptReader::recognises,
      BurstGptReader::new),
  /** RAGPulse JSON lines. */
  RAGPULSE(
      "ragpulse",
      "RAGPulse",
      Container.JSON,
      RagPulseReader.DESCRIPTION,
      RagPulseReader::recognises,
      RagPulseReader::new),
  /** AIPerf's per-request export. */
  AIPERF(
      "aiperf",
      "AIPerf export",
      Container.JSON,
      AiperfRecordsReader.DESCRIPTION,
      AiperfRecordsReader::recognises,
      AiperfRecordsReader::new),
  /** AIPerf's inputs. */
  AIPERF_INPUTS(
      "aiperf-inputs",
      "AIPerf inputs",
      Container.JSON,
      AiperfInputsReader.DESCRIPTION,
      AiperfInputsReader::recognises,
      AiperfInputsReader::new),
  /** BLIS tables. */
  BLIS(
      "blis",
      "BLIS TraceV2",
      Container.TABLE,
      BlisReader.DESCRIPTION,
      BlisReader::recognises,
      BlisReader::new),
  /** Results of vLLM's and SGLang's benchmarks. */
  BENCHMARK(
      "benchmark",
      "vLLM and SGLang benchmark results",
      Container.JSON,
      BenchmarkReader.DESCRIPTION,
      BenchmarkReader::recognises,
      BenchmarkReader::new),
  /** Vidur's and Splitwise's tables. */
  VIDUR(
      "vidur",
      "Vidur, Splitwise",
      Container.TABLE,
      VidurReader.DESCRIPTION,
      VidurReader::recognises,
      VidurReader::new),
  /** OpenTelemetry spans with GenAI attributes. */
  SPANS(
      "spans",
      "OpenTelemetry GenAI spans",
      Container.JSON,
      SpanReader.DESCRIPTION,
      SpanReader::recognises,
      SpanReader::new),
  /** Any table or JSON lines, by a column mapping. */
  MAPPED(
      "mapped",
      "any table or JSON lines",
      Container.ANY,
      MappedReader.DESCRIPTION,
      o -> false,
      MappedReader::new);

  private final String formatName;
  private final String title;
  private final Container container;
  private final TraceReader.Description description;
  private final Recogniser recogniser;
  private final TraceReader.@Nullable Factory factory;

  TraceFormat(
      String formatName,
      String title,
      Container container,
      TraceReader.Description description,
      Recogniser recogniser,
      TraceReader.@Nullable Factory factory) {
    this.formatName = formatName;
    this.title = title;
    this.container = container;
    this.description = description;
    this.recogniser = recogniser;
    this.factory = factory;
  }

  /** The name in scenario files and reports. */
  public String formatName() {
    return formatName;
  }

  /** What people call it. */
  public String title() {
    return title;
  }

  Container container() {
    return container;
  }

  /** How the format is understood. */
  TraceReader.Description description() {
    return description;
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
      if (format != MAPPED) {
        names.add(format.formatName);
      }
    }
    return names.toString();
  }

  boolean recognises(FirstObject object) {
    Container expected = object.table() ? Container.TABLE : Container.JSON;
    return container == expected && recogniser.recognises(object);
  }

  TraceReader reader(TraceAssembler assembler, TraceOptions options) {
    TraceReader.Factory maker = factory;
    if (maker == null) {
      throw new IllegalStateException(formatName + " is not read row by row");
    }
    return maker.create(assembler, options);
  }

  /** What the records of a format are in. */
  enum Container {
    /** JSON objects, one a line or one a file. */
    JSON,
    /** Comma-separated values under a header. */
    TABLE,
    /** Parquet. */
    PARQUET,
    /** JSON or a table. */
    ANY
  }

  /** Tells a format by the first object of a file, which may not be read to its end yet. */
  interface Recogniser {
    boolean recognises(FirstObject object);
  }
}

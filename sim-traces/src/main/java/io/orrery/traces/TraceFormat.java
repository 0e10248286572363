package io.orrery.traces;

import java.util.Locale;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * The trace formats that can be read: one line each. {@code docs/traces.md} describes them. A format
 * is told by the first object of a file, or a table's header; the first line that recognises it wins.
 */
public enum TraceFormat {
  /** Orrery's own: Parquet, one row a request. */
  ORRERY("orrery", "Orrery's own (Parquet)", OrreryTraceReader.DESCRIPTION, o -> false, null),
  /** Mooncake JSON lines, with or without sessions and delays. */
  MOONCAKE("mooncake", "Mooncake", MooncakeReader.DESCRIPTION, MooncakeReader::recognises, MooncakeReader::new),
  /** Mooncake rows that hold increments. */
  MOONCAKE_DELTA("mooncake-delta", "Mooncake increments", MooncakeDeltaReader.DESCRIPTION, o -> false, MooncakeDeltaReader::new),
  /** Mooncake rows with dependencies, versions 1 and 2. */
  AGENTIC_MOONCAKE("agentic-mooncake", "Agentic Mooncake", AgenticMooncakeReader.DESCRIPTION, AgenticMooncakeReader::recognises, AgenticMooncakeReader::new),
  /** Qwen-Bailian usage traces. */
  BAILIAN("bailian", "Qwen-Bailian", BailianReader.DESCRIPTION, BailianReader::recognises, BailianReader::new),
  /** Claude Code sessions of kv-cache-tester, one JSON object per session. */
  WEKA("weka", "Claude Code sessions (\"Weka\", AgentX)", WekaReader.DESCRIPTION, WekaReader::recognises, WekaReader::new),
  /** Dynamo request trace v1, bare or wrapped by a sink. */
  DYNAMO("dynamo", "Dynamo request trace", DynamoReader.DESCRIPTION, DynamoReader::recognises, DynamoReader::new),
  /** Dynamo's older agent trace, bare or wrapped by a sink. */
  DYNAMO_AGENT("dynamo-agent", "Dynamo agent trace (older)", DynamoReader.AGENT_DESCRIPTION, DynamoReader::recognisesAgent, DynamoReader::ofAgents),
  /** Applied Compute's rollouts, one row per session. */
  APPLIED_COMPUTE("applied-compute", "Applied Compute", AppliedComputeReader.DESCRIPTION, AppliedComputeReader::recognises, AppliedComputeReader::new),
  /** TraceLab's rounds. */
  TRACELAB("tracelab", "TraceLab rounds", TraceLabReader.DESCRIPTION, TraceLabReader::recognises, TraceLabReader::new),
  /** TraceLab's session tables. */
  SESSION_ROUNDS("session-rounds", "TraceLab session table", SessionRoundsReader.DESCRIPTION, SessionRoundsReader::recognises, SessionRoundsReader::new),
  /** Azure's tables of 2023 and 2024. */
  AZURE("azure", "Azure LLM inference", AzureReader.DESCRIPTION, AzureReader::recognises, AzureReader::new),
  /** BurstGPT's tables. */
  BURSTGPT("burstgpt", "BurstGPT", BurstGptReader.DESCRIPTION, BurstGptReader::recognises, BurstGptReader::new),
  /** RAGPulse JSON lines. */
  RAGPULSE("ragpulse", "RAGPulse", RagPulseReader.DESCRIPTION, RagPulseReader::recognises, RagPulseReader::new),
  /** AIPerf's per-request export. */
  AIPERF("aiperf", "AIPerf export", AiperfRecordsReader.DESCRIPTION, AiperfRecordsReader::recognises, AiperfRecordsReader::new),
  /** AIPerf's inputs. */
  AIPERF_INPUTS("aiperf-inputs", "AIPerf inputs", AiperfInputsReader.DESCRIPTION, AiperfInputsReader::recognises, AiperfInputsReader::new),
  /** BLIS tables. */
  BLIS("blis", "BLIS TraceV2", BlisReader.DESCRIPTION, BlisReader::recognises, BlisReader::new),
  /** Results of vLLM's and SGLang's benchmarks. */
  BENCHMARK("benchmark", "vLLM and SGLang benchmark results", BenchmarkReader.DESCRIPTION, BenchmarkReader::recognises, BenchmarkReader::new),
  /** Vidur's and Splitwise's tables. */
  VIDUR("vidur", "Vidur, Splitwise", VidurReader.DESCRIPTION, VidurReader::recognises, VidurReader::new),
  /** OpenTelemetry spans with GenAI attributes. */
  SPANS("spans", "OpenTelemetry GenAI spans", SpanReader.DESCRIPTION, SpanReader::recognises, SpanReader::new),
  /** Any table or JSON lines, by a column mapping. */
  MAPPED("mapped", "any table or JSON lines", MappedReader.DESCRIPTION, o -> false, MappedReader::new);

  private final String formatName;
  private final String title;
  private final TraceReader.Description description;
  private final Recogniser recogniser;
  private final TraceReader.@Nullable Factory factory;

  TraceFormat(
      String formatName,
      String title,
      TraceReader.Description description,
      Recogniser recogniser,
      TraceReader.@Nullable Factory factory) {
    this.formatName = formatName;
    this.title = title;
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
      names.add(format.formatName);
    }
    return names.toString();
  }

  boolean recognises(FirstObject object) {
    return recogniser.recognises(object);
  }

  TraceReader reader(TraceAssembler assembler, TraceOptions options) {
    TraceReader.Factory maker = factory;
    if (maker == null) {
      throw new IllegalStateException(formatName + " is not read row by row");
    }
    return maker.create(assembler, options);
  }

  /** Tells a format by the first object of a file, which may not be read to its end yet. */
  interface Recogniser {
    boolean recognises(FirstObject object);
  }
}

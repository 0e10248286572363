package io.orrery.traces;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each format's unit is proved by a span: two starts, or a wait, of 90 s, a first token after 1.5 s
 * and a last one after 4 s come out as that, whatever they were written in.
 */
class TimeUnitsTest {
  private static final long START = 90_000_000_000L;
  private static final long FIRST = 1_500_000_000L;
  private static final long LAST = 4_000_000_000L;

  @TempDir Path folder;

  /**
   * A text of two requests.
   *
   * @param starts whether they are 90 s apart by their starts, else the second one waits for 90 s
   *     after the first
   * @param measured whether the first has a time to first token of 1.5 s
   * @param timed whether it took 4 s
   */
  private record Proof(
      TraceFormat format,
      boolean starts,
      boolean measured,
      boolean timed,
      TraceOptions options,
      String text) {
    @Override
    public String toString() {
      return format.formatName() + " " + text.lines().findFirst().orElse("");
    }
  }

  static Stream<Proof> proofs() {
    return Stream.of(jsonRows(), sessions(), dynamo(), tables(), benchmarks(), spans(), mapped())
        .flatMap(List::stream);
  }

  @Tag("report-31")
  @ParameterizedTest
  @MethodSource("proofs")
  void spansAreWhatTheyWere(Proof proof) {
    Trace trace = TraceText.read(proof.options, proof.text.split("\n"));

    assertThat(trace.provenance().format()).isEqualTo(proof.format.formatName());
    assertThat(trace.requestCount()).isEqualTo(2);
    if (proof.starts) {
      assertThat(ReportRows.arrivals(trace)).containsExactly(0, START);
    } else {
      assertThat(trace.edgeDelayNanos(trace.edgeStart(1))).isEqualTo(START);
    }
    assertThat(trace.recordedTtftNanos(0)).isEqualTo(proof.measured ? FIRST : Trace.NO_TIME);
    assertThat(trace.recordedTotalNanos(0)).isEqualTo(proof.timed ? LAST : Trace.NO_TIME);
  }

  /** A format that is written in ns, and one that has no times, need no proof. */
  @Test
  void everyFormatHasAProof() {
    assertThat(proofs().map(Proof::format).distinct())
        .containsExactlyInAnyOrderElementsOf(
            Stream.of(TraceFormat.values())
                .filter(f -> f != TraceFormat.ORRERY && f != TraceFormat.AIPERF_INPUTS)
                .toList());
  }

  /** Times of Orrery's own format are those of what was converted, to the nanosecond. */
  @Test
  void nanosecondsSurviveOrrerysOwnFormat() throws IOException {
    Trace trace =
        Trace.builder(16)
            .session("a")
            .request("a1")
            .arrival(0)
            .recordedTimes(FIRST + 1, LAST + 1)
            .session("b")
            .request("b1")
            .arrival(START + 1)
            .build();
    Path file = folder.resolve("trace.parquet");
    TraceWriters.of(TraceFormat.ORRERY).orElseThrow().write(trace, file);

    Trace read = TraceReaders.read(file);

    assertThat(read.arrivalNanos(1)).isEqualTo(START + 1);
    assertThat(read.recordedTtftNanos(0)).isEqualTo(FIRST + 1);
    assertThat(read.recordedTotalNanos(0)).isEqualTo(LAST + 1);
    Files.delete(file);
  }

  private static List<Proof> jsonRows() {
    String lengths = "\"input_length\": 9, \"output_length\": 1";
    return List.of(
        starts(
            TraceFormat.MOONCAKE,
            "{\"timestamp\": 5, " + lengths + "}\n{\"timestamp\": 90005, " + lengths + "}"),
        waits(
            TraceFormat.MOONCAKE,
            "{\"session_id\": \"s\", \"timestamp\": 5, "
                + lengths
                + "}\n{\"session_id\": \"s\", \"delay\": 90000, "
                + lengths
                + "}"),
        new Proof(
            TraceFormat.MOONCAKE_DELTA,
            false,
            false,
            false,
            TraceOptions.defaults().withFormat(TraceFormat.MOONCAKE_DELTA),
            "{\"session_id\": \"s\", \"timestamp\": 5, "
                + lengths
                + "}\n{\"session_id\": \"s\", \"delay\": 9e4, "
                + lengths
                + "}"),
        waits(
            TraceFormat.AGENTIC_MOONCAKE,
            "{\"request_id\": \"a\", \"wait_for\": [], \"timestamp\": 5, "
                + lengths
                + "}\n{\"request_id\": \"b\", \"wait_for\": [\"a\"], \"delay\": 30000, \"tool_wait_ms\": 60000, "
                + lengths
                + "}"),
        new Proof(
            TraceFormat.AGENTIC_MOONCAKE,
            true,
            false,
            true,
            TraceOptions.defaults(),
            "{\"schema\":\"dynamo.agentic_mooncake\",\"version\":2,\"block_size\":64}\n"
                + "{\"request_id\": \"a\", \"play_id\": \"p\", \"not_before_ms\": 5, \"recorded_api_time_ms\": 4000, "
                + lengths
                + "}\n{\"request_id\": \"b\", \"play_id\": \"p\", \"not_before_ms\": 90005, "
                + lengths
                + "}"),
        starts(
            TraceFormat.BAILIAN,
            "{\"chat_id\": 1, \"parent_chat_id\": -1, \"timestamp\": 0.5, "
                + lengths
                + "}\n{\"chat_id\": 2, \"parent_chat_id\": -1, \"timestamp\": 90.5, "
                + lengths
                + "}"),
        starts(
            TraceFormat.RAGPULSE,
            "{\"timestamp\": \"82\", \"hash_ids\": {}, "
                + lengths
                + "}\n{\"timestamp\": \"172\", \"hash_ids\": {}, "
                + lengths
                + "}"));
  }

  private static List<Proof> sessions() {
    String round =
        "{\"provider\": \"p\", \"session_id\": \"%s\", \"round_index\": 0, \"input_tokens_total\": 9, \"output_tokens\": 1,"
            + " \"timing_events\": [{\"event_type\": \"user_message\", \"timestamp\": \"2026-08-25T00:0%sZ\"}]}";
    return List.of(
        new Proof(
            TraceFormat.WEKA,
            false,
            true,
            true,
            TraceOptions.defaults(),
            WekaReaderTest.session(
                "s",
                WekaReaderTest.request(0, 64, "1", "\"out\":1,\"api_time\":4,\"ttft\":1.5"),
                WekaReaderTest.request(94, 64, "1", "\"out\":1,\"think_time\":90"))),
        waits(
            TraceFormat.APPLIED_COMPUTE,
            "{\"num_turns\":1,\"input_prompt_length\":9,\"assistant_response_length\":[2],\"tool_call_output_length\":[6],"
                + "\"tool_call_latency\":[90],\"final_assistant_response_length\":1}"),
        starts(
            TraceFormat.TRACELAB,
            round.formatted("a", "0:01.5") + "\n" + round.formatted("b", "1:31.5")),
        starts(
            TraceFormat.SESSION_ROUNDS,
            "id,input_len,output_len,arrival_time,round_idx,tool_wait_after_ms,prefix_len\n"
                + "a,9,1,5.000000,0,0.000000,0\nb,9,1,90005.000000,0,0.000000,0"),
        waits(
            TraceFormat.SESSION_ROUNDS,
            "session_id,round_idx,prefix_len,input_len,output_len,tool_wait_after_ms\n"
                + "a,0,0,9,1,90000\na,1,10,9,1,0"));
  }

  private static List<Proof> dynamo() {
    String record =
        "{\"schema\":\"dynamo.%s.trace.v1\",\"event_type\":\"request_end\",\"event_time_unix_ms\":%d,\"request\":{\"request_id\":\"%s\","
            + "\"input_tokens\":9,\"output_tokens\":1,\"request_received_ms\":%d,\"ttft_ms\":1500,\"total_time_ms\":4000}}";
    long zero = 1_777_312_800_000L;
    TraceOptions blocks = TraceOptions.defaults().withBlockSize(16);
    return Stream.of(TraceFormat.DYNAMO, TraceFormat.DYNAMO_AGENT)
        .map(
            format -> {
              String kind = format == TraceFormat.DYNAMO ? "request" : "agent";
              String text =
                  record.formatted(kind, zero + 4_000, "a", zero)
                      + "\n"
                      + record.formatted(kind, zero + 94_000, "b", zero + 90_000);
              return new Proof(format, true, true, true, blocks, text);
            })
        .toList();
  }

  private static List<Proof> tables() {
    return List.of(
        starts(
            TraceFormat.AZURE,
            "TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 18:17:03.9799600,9,1\n2023-11-16 18:18:33.9799600,9,1"),
        starts(
            TraceFormat.AZURE,
            "TIMESTAMP,ContextTokens,GeneratedTokens\n2024-05-12 00:00:00+00:00,9,1\n2024-05-12 02:01:30+02:00,9,1"),
        new Proof(
            TraceFormat.BURSTGPT,
            true,
            false,
            true,
            TraceOptions.defaults(),
            "Timestamp,Session ID,Elapsed time,Model,Request tokens,Response tokens,Total tokens,Log Type\n"
                + "19440110.0,,4,GPT-4,9,1,10,API log\n19440200.0,,4,GPT-4,9,1,10,API log"),
        new Proof(
            TraceFormat.BLIS,
            true,
            true,
            true,
            TraceOptions.defaults(),
            "request_id,input_tokens,output_tokens,arrival_time_us,send_time_us,first_chunk_time_us,last_chunk_time_us\n"
                + "0,9,1,1000,1000000,2500000,5000000\n1,9,1,1000,91000000,0,0"),
        starts(
            TraceFormat.VIDUR,
            "arrived_at,num_prefill_tokens,num_decode_tokens\n1.5,9,1\n91.5,9,1"),
        starts(
            TraceFormat.VIDUR,
            "request_id,request_type,application_id,arrival_timestamp,batch_size,prompt_size,token_size\n"
                + "0,2,0,0.0,1,9,1\n1,2,0,90,1,9,1"));
  }

  private static List<Proof> benchmarks() {
    String record =
        "{\"metadata\":{\"x_request_id\":\"%s\",\"request_start_ns\":%d,\"request_end_ns\":%d,\"benchmark_phase\":\"profiling\"},"
            + "\"metrics\":{\"input_sequence_length\":{\"value\":9,\"unit\":\"tokens\"},\"output_sequence_length\":{\"value\":1,\"unit\":\"tokens\"},"
            + "\"time_to_first_token\":{\"value\":1500,\"unit\":\"ms\"},\"request_latency\":{\"value\":4000.0,\"unit\":\"ms\"}}}";
    long zero = 1_759_813_207_000_000_000L;
    return List.of(
        new Proof(
            TraceFormat.AIPERF,
            true,
            true,
            true,
            TraceOptions.defaults(),
            record.formatted("a", zero, zero + LAST)
                + "\n"
                + record.formatted("b", zero + START, zero + START + LAST)),
        new Proof(
            TraceFormat.BENCHMARK,
            true,
            true,
            true,
            TraceOptions.defaults(),
            "{\"input_lens\": [9, 9], \"output_lens\": [2, 2], \"ttfts\": [1.5, 1.5], \"itls\": [[2.5], [2.5]],"
                + " \"start_times\": [163221.5, 163311.5]}"));
  }

  private static List<Proof> spans() {
    String attributes =
        "{\"gen_ai.operation.name\": \"chat\", \"gen_ai.usage.input_tokens\": 9, \"gen_ai.usage.output_tokens\": 1,"
            + " \"gen_ai.response.time_to_first_chunk\": 1.5}";
    String dated =
        "{\"name\": \"chat m\", \"context\": {\"trace_id\": \"%s\"}, \"start_time\": \"2026-01-31T10:0%sZ\","
            + " \"end_time\": \"2026-01-31T10:0%sZ\", \"attributes\": "
            + attributes
            + "}";
    String counted =
        "{\"name\": \"chat m\", \"traceId\": \"%s\", \"startTimeUnixNano\": \"%d\", \"endTimeUnixNano\": \"%d\", \"attributes\": "
            + attributes
            + "}";
    long zero = 1_769_853_600_000_000_000L;
    return List.of(
        new Proof(
            TraceFormat.SPANS,
            true,
            true,
            true,
            TraceOptions.defaults(),
            dated.formatted("a", "0:00.5", "0:04.5")
                + "\n"
                + dated.formatted("b", "1:30.5", "2:00")),
        new Proof(
            TraceFormat.SPANS,
            true,
            true,
            true,
            TraceOptions.defaults(),
            counted.formatted("a", zero, zero + LAST)
                + "\n"
                + counted.formatted("b", zero + START, zero + START + LAST)));
  }

  /** Every unit that a mapping can name. */
  private static List<Proof> mapped() {
    return List.of(
        mapped("ns", "5,1500000000,4000000000", "90000000005,,"),
        mapped("us", "5,1500000,4000000", "90000005,,"),
        mapped("ms", "5,1500,4000", "90005,,"),
        mapped("s", "5,1.5,4", "95,,"),
        mapped("min", "5,0.025,0.0666666666666667", "6.5,,"),
        new Proof(
            TraceFormat.MAPPED,
            true,
            true,
            false,
            TraceOptions.defaults()
                .withColumns(
                    ColumnMapping.parse("timestamp=at:iso,ttft=first:s,input=in,output=out")),
            "in,out,at,first\n9,1,2026-01-31T23:59:00.5+01:00,1.5\n9,1,2026-01-31T23:00:30.5,"));
  }

  private static Proof mapped(String unit, String first, String second) {
    String mapping =
        "timestamp=at:U,ttft=first:U,total=last:U,input=in,output=out".replace("U", unit);
    return new Proof(
        TraceFormat.MAPPED,
        true,
        true,
        true,
        TraceOptions.defaults().withColumns(ColumnMapping.parse(mapping)),
        "in,out,at,first,last\n9,1," + first + "\n9,1," + second);
  }

  private static Proof starts(TraceFormat format, String text) {
    return new Proof(format, true, false, false, TraceOptions.defaults(), text);
  }

  private static Proof waits(TraceFormat format, String text) {
    return new Proof(format, false, false, false, TraceOptions.defaults(), text);
  }
}

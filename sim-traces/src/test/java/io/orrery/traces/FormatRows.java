package io.orrery.traces;

import java.util.EnumMap;
import java.util.Map;

/**
 * As many records of a format as wanted, all at one time, each with an id of its own and a prompt
 * as long as asked for. A new format adds its line here.
 */
final class FormatRows {
  private static final Map<TraceFormat, FormatRows> ROWS = new EnumMap<>(TraceFormat.class);

  private final String header;
  private final String row;

  /**
   * @param header lines before the rows
   * @param row a record, with {@code #} for its number and {@code ~} for the tokens of its prompt
   */
  private FormatRows(String header, String row) {
    this.header = header;
    this.row = row;
  }

  static {
    add(
        TraceFormat.MOONCAKE,
        "",
        "{\"request_id\": \"ü日🎉#\", \"timestamp\": 5, \"input_length\": ~, \"output_length\": 1, \"hash_ids\": [#]}");
    add(
        TraceFormat.MOONCAKE_DELTA,
        "",
        "{\"session_id\": \"ü日🎉#\", \"timestamp\": 5, \"input_length\": ~, \"output_length\": 1, \"hash_ids\": [#]}");
    add(
        TraceFormat.AGENTIC_MOONCAKE,
        "",
        "{\"request_id\": \"ü日🎉#\", \"session_id\": \"s#\", \"timestamp\": 5, \"wait_for\": [], \"input_length\": ~, \"output_length\": 1, \"hash_ids\": [#]}");
    add(
        TraceFormat.BAILIAN,
        "",
        "{\"chat_id\": #, \"parent_chat_id\": -1, \"timestamp\": 5.5, \"input_length\": ~, \"output_length\": 1, \"type\": \"text\", \"turn\": 1, \"hash_ids\": [#]}");
    add(
        TraceFormat.WEKA,
        "",
        "{\"id\":\"ü日🎉#\",\"models\":[\"m\"],\"block_size\":64,\"hash_id_scope\":\"local\",\"tool_tokens\":0,\"system_tokens\":0,\"requests\":[{\"t\":0.0,\"type\":\"n\",\"model\":\"m\",\"in\":~,\"out\":9,\"hash_ids\":[1]}]}");
    add(
        TraceFormat.DYNAMO,
        "",
        "{\"schema\":\"dynamo.request.trace.v1\",\"event_type\":\"request_end\",\"event_time_unix_ms\":1400,\"request\":{\"request_id\":\"ü日🎉#\",\"request_received_ms\":1000,\"output_tokens\":4,\"replay\":{\"trace_block_size\":4,\"input_length\":~,\"input_sequence_hashes\":[#]}}}");
    add(
        TraceFormat.DYNAMO_AGENT,
        "",
        "{\"schema\":\"dynamo.agent.trace.v1\",\"event_type\":\"request_end\",\"event_time_unix_ms\":1400,\"agent_context\":{\"session_id\":\"r\",\"trajectory_id\":\"ü日🎉#\"},\"request\":{\"request_id\":\"r#\",\"input_tokens\":~,\"output_tokens\":4,\"request_received_ms\":1000}}");
    add(
        TraceFormat.APPLIED_COMPUTE,
        "",
        "{\"num_turns\":0,\"input_prompt_length\":~,\"assistant_response_length\":[],\"tool_call_output_length\":[],\"tool_call_latency\":[],\"final_assistant_response_length\":15}");
    add(
        TraceFormat.TRACELAB,
        "",
        "{\"provider\": \"claude\", \"session_id\": \"ü日🎉#\", \"round_index\": 0, \"model\": \"m\", \"input_tokens_total\": ~, \"prefix_tokens\": 0, \"newly_append_tokens\": ~, \"output_tokens\": 4, \"timing_events\": [{\"event_type\": \"user_message\", \"timestamp\": \"2026-08-25T00:00:00Z\"}], \"tools\": []}");
    add(
        TraceFormat.SESSION_ROUNDS,
        "session_id,arrival_time,round_idx,prefix_len,input_len,output_len,tool_wait_after_ms",
        "ü日🎉#,1000,0,0,~,4,0");
    add(
        TraceFormat.AZURE,
        "TIMESTAMP,ContextTokens,GeneratedTokens",
        "2023-11-16 18:17:03.9799600,~,10");
    add(
        TraceFormat.BURSTGPT,
        "Timestamp,Session ID,Elapsed time,Model,Request tokens,Response tokens,Total tokens,Log Type",
        "5.0,ü日🎉#,43,GPT-4,~,4,9,Conversation log");
    add(
        TraceFormat.RAGPULSE,
        "",
        "{\"timestamp\": \"82\", \"input_length\": ~, \"output_length\": 19, \"hash_ids\": {\"sys_prompt\": [1], \"user_input\": [#]}, \"session_id\": \"ü日🎉#\"}");
    add(
        TraceFormat.AIPERF,
        "",
        "{\"metadata\": {\"session_num\": #, \"x_request_id\": \"ü日🎉#\", \"conversation_id\": \"c#\", \"turn_index\": 0, \"request_start_ns\": 1759813207532900363, \"request_end_ns\": 1759813207838764604, \"benchmark_phase\": \"profiling\"}, \"metrics\": {\"input_sequence_length\": {\"value\": ~, \"unit\": \"tokens\"}, \"output_sequence_length\": {\"value\": 9, \"unit\": \"tokens\"}}, \"error\": null}");
    add(
        TraceFormat.BLIS,
        "request_id,session_id,round_index,input_tokens,output_tokens,arrival_time_us,send_time_us,first_chunk_time_us,last_chunk_time_us,status",
        "#,ü日🎉#,0,~,9,5,5,0,0,ok");
    add(
        TraceFormat.VIDUR,
        "arrived_at,num_prefill_tokens,num_decode_tokens,session_id",
        "0.5,~,7,ü日🎉#");
    add(
        TraceFormat.SPANS,
        "",
        "{\"name\": \"chat m\", \"context\": {\"trace_id\": \"ü日🎉#\", \"span_id\": \"s#\"}, \"start_time\": \"2026-01-31T10:00:00.5Z\", \"end_time\": \"2026-01-31T10:00:02.5Z\", \"attributes\": {\"gen_ai.operation.name\": \"chat\", \"gen_ai.usage.input_tokens\": ~, \"gen_ai.usage.output_tokens\": 33}}");
    add(TraceFormat.MAPPED, "user,ts,prompt_tokens,completion_tokens", "ü日🎉#,10.5,~,7");
    // One file is one object: what is repeated is an entry of its lists, below.
    ROWS.put(TraceFormat.BENCHMARK, new FormatRows("", ""));
    ROWS.put(TraceFormat.AIPERF_INPUTS, new FormatRows("", ""));
  }

  private static void add(TraceFormat format, String header, String row) {
    ROWS.put(format, new FormatRows(header.isEmpty() ? "" : header + "\n", row + "\n"));
  }

  /**
   * Records at one time, with prompts of {@code firstTokens}, one more, and so on.
   *
   * @param count how many
   */
  static String of(TraceFormat format, int count, int firstTokens) {
    FormatRows rows = ROWS.get(format);
    if (rows == null) {
      throw new AssertionError("no rows of " + format + ": add a line to FormatRows");
    }
    if (format == TraceFormat.BENCHMARK) {
      return benchmark(count, firstTokens);
    }
    if (format == TraceFormat.AIPERF_INPUTS) {
      return inputs(count, firstTokens);
    }
    StringBuilder text = new StringBuilder(rows.header);
    for (int i = 0; i < count; i++) {
      text.append(rows.row.replace("#", "" + i).replace("~", "" + (firstTokens + i)));
    }
    return text.toString();
  }

  private static String benchmark(int count, int firstTokens) {
    StringBuilder inputs = new StringBuilder();
    StringBuilder ones = new StringBuilder();
    StringBuilder texts = new StringBuilder();
    for (int i = 0; i < count; i++) {
      String comma = i == 0 ? "" : ", ";
      inputs.append(comma).append(firstTokens + i);
      ones.append(comma).append(1);
      texts.append(comma).append("\"ü日🎉\"");
    }
    return String.join(
        "",
        "{\"backend\": \"vllm\", \"model_id\": \"m\", \"input_lens\": [" + inputs,
        "], \"output_lens\": [" + ones + "], \"ttfts\": [" + ones,
        "], \"start_times\": [" + ones + "], \"generated_texts\": [" + texts + "]}\n");
  }

  /** Texts of four characters a token. */
  private static String inputs(int count, int firstTokens) {
    StringBuilder text = new StringBuilder("{\"data\": [");
    for (int i = 0; i < count; i++) {
      text.append(i == 0 ? "" : ", ")
          .append("{\"session_id\": \"ü日🎉")
          .append(i)
          .append("\", \"payloads\": [{\"prompt\": \"")
          .append("four".repeat(firstTokens + i))
          .append("\", \"max_tokens\": 3}]}");
    }
    return text.append("]}\n").toString();
  }
}
